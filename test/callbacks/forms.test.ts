import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachCallback, parseCallbacks } from '../../main/callbacks/parse.ts';
import { callbackArbitrary } from './arbitrary.ts';
import { printers } from './printing.ts';

const fieldsOf = (text: string) => parseCallbacks(text).callbacks.map(found => found.fields);

it('a value of a table keeps quotes that do not enclose the cell', () => {
  const text =
    '-[ RECORD 1 ]\norder_number | A-1\ntype | sale\nstatus | success\ncustomer_name | ", say "hi"\n';
  const { callbacks } = parseCallbacks(text);
  expect(callbacks[0]?.fields).toContainEqual(['customer_name', '", say "hi"']);
});

describe('a callback printed in any form is read back, field by field', () => {
  for (const { name, form, escapes, print } of printers)
    it(name, () => {
      fc.assert(
        fc.property(callbackArbitrary(!escapes), fields => {
          const parsed = parseCallbacks(print(fields));
          expect(parsed.callbacks.map(found => found.fields)).toEqual([fields]);
          expect(parsed.form).toBe(form);
        }),
        { numRuns: 60 },
      );
    });
});

describe('a file with many callbacks', () => {
  /** Forms that include all following text, or that are recognised by their first line only. */
  const standing = printers.filter(
    printer => !['CSV of bodies', 'CSV of JSON bodies'].includes(printer.name),
  );

  it('a file with many callbacks in several forms is read in order', () => {
    const one = fc
      .tuple(callbackArbitrary(true), fc.constantFrom(...standing))
      .map(([fields, printer]) => ({ fields, name: printer.name, text: printer.print(fields) }));
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 6 }), parts => {
        expect(fieldsOf(parts.map(part => part.text).join('\n\n'))).toEqual(parts.map(part => part.fields));
      }),
      { numRuns: 200 },
    );
  });

  for (const name of [
    'lines',
    'indented lines with &',
    'urlencoded',
    'JSON',
    'print_r',
    'log line, body as a string',
    'log line, JSON',
    'Python dict',
    'var_export',
    'raw HTTP',
    'multipart',
    'access log',
  ])
    it(`a file with many callbacks with one after the other without a blank line is read: ${name}`, () => {
      const printer = printers.find(one => one.name === name);
      fc.assert(
        fc.property(fc.array(callbackArbitrary(true), { minLength: 2, maxLength: 5 }), all => {
          const text = all.map(fields => printer?.print(fields).trimEnd()).join('\n');
          expect(fieldsOf(text)).toEqual(all);
        }),
        { numRuns: 60 },
      );
    });

  it('a file with many callbacks with one table is read row by row', () => {
    fc.assert(
      fc.property(fc.array(callbackArbitrary(false), { minLength: 2, maxLength: 5 }), all => {
        const names = [...new Set(all.flatMap(fields => fields.map(([name]) => name)))];
        const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const rows = all.map(fields =>
          names.map(name => cell(fields.find(field => field[0] === name)?.[1] ?? '')).join(','),
        );
        const sorted = (fields: readonly (readonly [string, string])[]) => Object.fromEntries(fields);
        expect(fieldsOf([names.join(','), ...rows].join('\r\n')).map(sorted)).toEqual(all.map(sorted));
      }),
      { numRuns: 60 },
    );
  });

  it('a file with many callbacks with one JSON list is read item by item', () => {
    fc.assert(
      fc.property(fc.array(callbackArbitrary(false), { minLength: 2, maxLength: 5 }), all => {
        const text = JSON.stringify(all.map(fields => Object.fromEntries(fields)));
        expect([...eachCallback(text)].map(found => found.fields)).toEqual(all);
        expect(
          fieldsOf(JSON.stringify({ callbacks: all.map(fields => Object.fromEntries(fields)) })),
        ).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });
});
