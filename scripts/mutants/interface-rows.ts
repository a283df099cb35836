import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/build/steps.ts';

/** A row of docs/integrate/interface.md: what the interface says, its code, its test, and planted faults. */
export type InterfaceRow = {
  section: string;
  sentence: string;
  /** The files that implement the sentence. Faults are planted in the first. */
  code: string[];
  testFile: string;
  /**
   * Each makes a part of the sentence untrue. `title`: of the test, or of the group of tests, that must fail; `text`: a
   * part of one line of the file.
   */
  faults: InterfaceFault[];
};

type InterfaceFault = { title: string; text: string; replacement: string };

const keyOf = (section: string, sentence: string): string => `${section} ${sentence}`;

/** The faults of `interface-faults.tsv`, by section and sentence. */
export const interfaceFaults = (): Map<string, InterfaceFault[]> => {
  const lines = readFileSync(join(root, 'scripts', 'mutants', 'interface-faults.tsv'), 'utf8')
    .split(/\r?\n/)
    .slice(1)
    .filter(line => line !== '')
    .map(line => line.split('\t'));
  const faults = new Map<string, InterfaceFault[]>();
  for (const [section = '', sentence = '', title = '', text = '', replacement = ''] of lines) {
    const key = keyOf(section, sentence);
    faults.set(key, [...(faults.get(key) ?? []), { title, text, replacement }]);
  }
  return faults;
};

/** The rows of the page, in its order. Each is two lines: the sentence; its code and its test file. */
export const interfaceRows = (): InterfaceRow[] => {
  const faults = interfaceFaults();
  return readFileSync(join(root, 'docs', 'integrate', 'interface.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .flatMap(part => {
      const [section = ''] = part.split(' ', 1);
      return [...part.matchAll(/^- (.+)\.\r?\n {2}(.+); `(test\/[^`]+)`$/gm)].map(
        ([, sentence = '', code = '', testFile = '']) => ({
          section,
          sentence,
          code: [...code.matchAll(/`([^`]+)`/g)].flatMap(([, file]) => file ?? []),
          testFile,
          faults: faults.get(keyOf(section, sentence)) ?? [],
        }),
      );
    });
};

/** The code of a row with one of its faults, or the reason why it cannot be planted. */
export const plantFault = (
  { code }: InterfaceRow,
  fault: InterfaceFault,
): { faulty: string } | { problem: string } => {
  const [file = ''] = code;
  const [before, after, ...more] = readFileSync(join(root, file), 'utf8').split(fault.text);
  if (before === undefined || after === undefined) return { problem: `${file} does not contain its text` };
  if (more.length > 0) return { problem: `${file} contains its text more than once` };
  return { faulty: `${before}${fault.replacement}${after}` };
};
