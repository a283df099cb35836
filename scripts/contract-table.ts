import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import * as z from 'zod';
import { ipcRequests, ipcEvents, requestNames } from '../shared/contract/index.ts';
import { requestRights, settingRights } from '../shared/contract/rights.ts';
import { roles, rights, rightsOf } from '../shared/agents/roles.ts';

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
export const contractPage = async (): Promise<string> => {
  const requestRows = requestNames.map(name => {
    const { description, input, output } = ipcRequests[name];
    return `| \`${name}\` | ${description} | ${requestRights[name]} | ${fieldsOf(input)} | ${fieldsOf(output)} |`;
  });
  const rightRows = rights.map(
    right => `| ${right} | ${roles.map(role => (rightsOf[role].includes(right) ? 'yes' : '')).join(' | ')} |`,
  );
  const fieldsWith = (right: string): string =>
    Object.entries(settingRights)
      .flatMap(([name, needed]) => (needed === right ? [`\`${name}\``] : []))
      .join(', ');
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
    '| request | description | right | input | output |',
    '|---|---|---|---|---|',
    ...requestRows,
    '',
    '## Rights',
    '',
    'Main checks the right of each request before its handler runs (`main/app/settings/enforce-rights.ts`). The table is `shared/contract/rights.ts`; a request without an entry does not compile. A refused request answers `agent.not-allowed`.',
    '',
    `| right | ${roles.join(' | ')} |`,
    `|---|${'---|'.repeat(roles.length)}`,
    ...rightRows,
    '',
    '- `everyone`: no right is needed.',
    '- `own-pin`: everyone may change their own PIN; any other change needs `people`.',
    `- \`by-field\`: each setting has its own. Everyone: ${fieldsWith('everyone')}. The right \`settings\`: ${fieldsWith('settings')}.`,
    '',
    '## Events',
    '',
    '| event | payload |',
    '|---|---|',
    ...ipcEventRows,
    '',
  ].join('\n');
  const { code, errors } = await format(contractFile, page);
  if (errors[0]) throw new Error(errors[0].message);
  return code;
};

if (import.meta.main) writeFileSync(contractFile, await contractPage());
