import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/build/steps.ts';

/** A row of docs/integrate/interface.md: a sentence of the interface, its code, its test, and a planted fault. */
export type InterfaceRow = {
  section: string;
  sentence: string;
  /** The files that implement the sentence. The fault is planted in the first. */
  code: string[];
  testFile: string;
  /** The title of the test, or of a group of tests, as its file has it. */
  title: string;
  /** Makes the sentence untrue. `text`: a part of one line of the file. `null` if the row has no fault. */
  fault: InterfaceFault | null;
};

type InterfaceFault = { text: string; replacement: string };

const keyOf = (section: string, sentence: string): string => `${section} ${sentence}`;

/** The faults of `interface-faults.tsv`, by section and sentence. */
export const interfaceFaults = (): Map<string, InterfaceFault> =>
  new Map(
    readFileSync(join(root, 'scripts', 'mutants', 'interface-faults.tsv'), 'utf8')
      .split(/\r?\n/)
      .slice(1)
      .filter(line => line !== '')
      .map(line => line.split('\t'))
      .map(([section = '', sentence = '', text = '', replacement = '']) => [
        keyOf(section, sentence),
        { text, replacement },
      ]),
  );

/** The rows of the page, in its order. Each is two lines: the sentence; its code and its test. */
export const interfaceRows = (): InterfaceRow[] => {
  const faults = interfaceFaults();
  return readFileSync(join(root, 'docs', 'integrate', 'interface.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .flatMap(part => {
      const [section = ''] = part.split(' ', 1);
      return [...part.matchAll(/^- (.+)\.\r?\n {2}(.+); `(test\/[^`]+)`: (.+)$/gm)].map(
        ([, sentence = '', code = '', testFile = '', title = '']) => ({
          section,
          sentence,
          code: [...code.matchAll(/`([^`]+)`/g)].flatMap(([, file]) => file ?? []),
          testFile,
          title: title.trim(),
          fault: faults.get(keyOf(section, sentence)) ?? null,
        }),
      );
    });
};

/** The code of a row with its fault, or the reason why it cannot be planted. */
export const plantFault = ({ code, fault }: InterfaceRow): { faulty: string } | { problem: string } => {
  const [file = ''] = code;
  if (!fault) return { problem: 'it has no fault' };
  const [before, after, ...more] = readFileSync(join(root, file), 'utf8').split(fault.text);
  if (before === undefined || after === undefined) return { problem: `${file} does not contain its text` };
  if (more.length > 0) return { problem: `${file} contains its text more than once` };
  return { faulty: `${before}${fault.replacement}${after}` };
};
