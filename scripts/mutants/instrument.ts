import type { Mutant } from './find-mutants.ts';

/**
 * A source text with all its mutants, of which `globalThis.mutants.isActive` selects one at run time, so that no
 * mutant needs another compilation. `firstId`: the number of the first mutant; the others follow. Lines stay.
 */
export const instrument = (text: string, mutants: readonly Mutant[], firstId: number): string => {
  const isActive = (id: number): string => `globalThis.mutants.isActive(${id})`;
  /** The text of a range with its mutants: sorted by their start, outer before inner. */
  const render = (
    range: { start: number; end: number },
    inside: readonly (Mutant & { id: number })[],
  ): string => {
    let written = '';
    let at = range.start;
    let rest = inside;
    for (let outer = rest[0]; outer !== undefined; outer = rest[0]) {
      const { id, start, end, kind, original, replacement } = outer;
      const isSame = (one: Mutant): boolean => one.start === start && one.end === end;
      const before = text.slice(at, start);
      const inner = render(
        { start, end },
        rest.filter(one => one.end <= end && !isSame(one)),
      );
      switch (kind) {
        case 'statement':
          written += `${before}{ if (!${isActive(id)}) ${inner} }`;
          break;
        case 'method':
          // `a.find` becomes `a[… ? 'findLast' : 'find']`, and `a?.find` keeps its `?.`.
          written += before.endsWith('?.') ? before : before.replace(/\.$/, '');
          written += `[${isActive(id)} ? '${replacement}' : '${original}']`;
          break;
        case 'expression': {
          const choices = rest.filter(isSame).map(one => `${isActive(one.id)} ? (${one.replacement}) : `);
          written += `${before}(${choices.join('')}(${inner}))`;
          break;
        }
        default:
          return kind satisfies never;
      }
      at = end;
      rest = rest.filter(one => one.start >= end);
    }
    return written + text.slice(at, range.end);
  };
  return render(
    { start: 0, end: text.length },
    mutants.map((mutant, index) => ({ ...mutant, id: firstId + index })),
  );
};
