import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import * as z from 'zod';
import { ipcRequests, ipcEvents } from '../shared/contract/index.ts';

/** Writes docs/build/contract.md from the contract: `npm run docs:contract`. */

export const contractFile = join(import.meta.dirname, '..', 'docs', 'build', 'contract.md');

const fieldsOf = (schema: z.ZodType): string => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = Object.keys(json.properties ?? {});
  const required = new Set(json.required ?? []);
  return names.length === 0
    ? '—'
    : names.map(name => (required.has(name) ? `\`${name}\`` : `\`${name}\`?`)).join(', ');
};

/** The page as Markdown, formatted by the formatter. */
export const contractPage = (): Promise<string> => {
  const requestRows = Object.entries(ipcRequests).map(
    ([name, { description, input, output }]) =>
      `| \`${name}\` | ${description} | ${fieldsOf(input)} | ${fieldsOf(output)} |`,
  );
  const ipcEventRows = Object.entries(ipcEvents).map(
    ([name, schema]) => `| \`${name}\` | ${fieldsOf(schema)} |`,
  );
  const page = [
    '# The contract between the processes',
    '',
    '`npm run docs:contract` generates this page from `shared/contract/`. A test fails if it is out of date. `?` marks optional fields.',
    '',
    '## Requests',
    '',
    '| request | description | input | output |',
    '|---|---|---|---|',
    ...requestRows,
    '',
    '## Events',
    '',
    '| event | payload |',
    '|---|---|',
    ...ipcEventRows,
    '',
  ].join('\n');
  return format(page, { parser: 'markdown' });
};

if (import.meta.main) writeFileSync(contractFile, await contractPage());
