import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../steps.ts';

/** A row of docs/integrate/interface.md: a sentence of the interface, its code, its test, and a planted fault. */
export type InterfaceRow = {
  section: string;
  sentence: string;
  /** The files that implement the sentence. The fault is planted in the first. */
  code: string[];
  testFile: string;
  /** The title of the test, or of a group of tests, as its file has it. */
  title: string;
  /** Makes the sentence untrue. `text`: a part of one line of the file. `null` if the row has no readable fault. */
  fault: { text: string; replacement: string } | null;
};

const faultOf = (cell: string): InterfaceRow['fault'] => {
  const [, text, replacement = ''] = /^`([^`]+)` → (?:`([^`]+)`|nothing)$/.exec(cell) ?? [];
  return text === undefined ? null : { text, replacement };
};

const rowOf = (line: string): InterfaceRow => {
  // A bar inside a cell is escaped.
  const cells = line.split(/(?<!\\)\|/).map(cell => cell.replaceAll('\\|', '|').trim());
  const [, section = '', sentence = '', code = '', test = '', fault = ''] = cells;
  const [, testFile = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
  const files = [...code.matchAll(/`([^`]+)`/g)].flatMap(([, file]) => file ?? []);
  return { section, sentence, code: files, testFile, title, fault: faultOf(fault) };
};

/** The rows of the page, in its order. */
export const interfaceRows = (): InterfaceRow[] =>
  readFileSync(join(root, 'docs', 'integrate', 'interface.md'), 'utf8')
    .split('\n')
    .filter(line => /^\| *\d/.test(line))
    .map(rowOf);

/** The code of a row with its fault, or the reason why it cannot be planted. */
export const plantFault = ({ code, fault }: InterfaceRow): { faulty: string } | { problem: string } => {
  const [file = ''] = code;
  if (!fault) return { problem: 'it has no fault' };
  const [before, after, ...more] = readFileSync(join(root, file), 'utf8').split(fault.text);
  if (before === undefined || after === undefined) return { problem: `${file} does not contain its text` };
  if (more.length > 0) return { problem: `${file} contains its text more than once` };
  return { faulty: `${before}${fault.replacement}${after}` };
};
