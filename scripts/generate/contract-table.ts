import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { ipcEvents, requestNames } from '../../shared/contract/index.ts';
import { requestRights, settingRights } from '../../shared/contract/rights.ts';
import { roles, rights, rightsOf } from '../../shared/agents/roles.ts';

/** Writes docs/build/contract.md from the contract: `npm run docs:contract`. */

export const contractFile = join(import.meta.dirname, '..', '..', 'docs', 'build', 'contract.md');

/** The page as Markdown, formatted by the formatter. */
export const contractPage = async (): Promise<string> => {
  const areas = Map.groupBy(requestNames, name => name.split('.')[0] ?? '');
  const requestRows = [...areas].map(([area, names]) => {
    const requests = names.map(name => {
      const right = requestRights[name];
      return `\`${name.slice(area.length + 1)}\`${right === 'everyone' ? '' : ` (${right})`}`;
    });
    return `- **${area}**: ${requests.join(', ')}`;
  });
  const rightRows = roles.map(
    role => `- ${role}: ${rights.filter(right => rightsOf[role].includes(right)).join(', ')}`,
  );
  const fieldsWith = (right: string): string =>
    Object.entries(settingRights)
      .flatMap(([name, needed]) => (needed === right ? [`\`${name}\``] : []))
      .join(', ');
  const page = [
    '# The contract between the processes',
    '',
    '`npm run docs:contract` generates this index from `shared/contract/`, where each request has a description and the schemas of its input and output.',
    '',
    '## Requests',
    '',
    'In brackets: the right that a request needs, if not everyone may send it.',
    '',
    ...requestRows,
    '',
    '## Rights',
    '',
    'Main checks the right before the handler runs (`main/app/settings/enforce-rights.ts`); a refused request answers `agent.not-allowed`. A request without an entry in `shared/contract/rights.ts` does not compile.',
    '',
    ...rightRows,
    '',
    '- `own-pin`: everyone may change their own PIN; any other change needs `people`.',
    '- `self-assign`: `links` to take a payment or return it, otherwise `review`.',
    `- \`by-field\`: each setting has its own. Everyone: ${fieldsWith('everyone')}. The right \`settings\`: ${fieldsWith('settings')}.`,
    '',
    '## Events',
    '',
    `${Object.keys(ipcEvents)
      .map(name => `\`${name}\``)
      .join(', ')}.`,
    '',
  ].join('\n');
  const { code, errors } = await format(contractFile, page);
  if (errors[0]) throw new Error(errors[0].message);
  return code;
};

if (import.meta.main) writeFileSync(contractFile, await contractPage());
