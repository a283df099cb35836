import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import {
  ipcEvents,
  ipcRequests,
  requestNames,
  rulesOf,
  type RequestName,
} from '../../shared/contract/contract.ts';
import { decidesForEveryone } from '../../shared/settings/descriptors.ts';
import { roles, rights, rightsOf } from '../../shared/agents/roles.ts';

/** Writes docs/build/contract.md from the contract: `npm run docs:contract`. */

export const contractFile = join(import.meta.dirname, '..', '..', 'docs', 'build', 'contract.md');

/** The rules of a request, as the page names them. */
const rulesText = (name: RequestName): string => {
  const {
    right,
    rightDependsOnInput,
    effect,
    recorded = 'no',
    fixedByPolicy,
    whileLocked,
    whileBlocked,
  } = rulesOf(name);
  const words = [
    ...(right === 'everyone' ? [] : [rightDependsOnInput ? `${right} by input` : right]),
    ...(effect === 'none' ? [] : [effect]),
    ...(recorded === 'no' ? [] : [recorded === 'required' ? 'recorded' : 'recorded if possible']),
    ...(fixedByPolicy ? ['policy'] : []),
    ...(whileLocked ? ['while locked'] : []),
    ...(whileBlocked ? ['while blocked'] : []),
  ];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
};

/** The page as Markdown, formatted by the formatter. */
export const contractPage = async (): Promise<string> => {
  const areas = Map.groupBy(requestNames, name => name.split('.')[0] ?? '');
  const requestRows = [...areas].map(([area, names]) => {
    const requests = names.map(name => `\`${name.slice(area.length + 1)}\`${rulesText(name)}`);
    return `- **${area}**: ${requests.join(', ')}`;
  });
  const rightRows = roles.map(
    role => `- ${role}: ${rights.filter(right => rightsOf[role].includes(right)).join(', ')}`,
  );
  const fieldsWith = (right: string): string =>
    Object.keys(ipcRequests['settings.change'].input.shape)
      .filter(name => decidesForEveryone(name) === (right === 'settings'))
      .map(name => `\`${name}\``)
      .join(', ');
  const page = [
    '# The contract between the processes',
    '',
    '`npm run docs:contract` generates this index from `shared/contract/`, where each request has a description and the schemas of its input and output.',
    '',
    '## Requests',
    '',
    'In brackets: the rules of a request. First the right, if not everyone may send it.',
    '',
    '- `write` changes what is kept here, at the gateway or in the team; `export` writes a file for people; `job` begins work that continues after the answer. An update interrupts none of them.',
    '- `recorded`: it is refused while nothing can be recorded. `policy`: the policy may fix what it would change. `while locked`, `while blocked`: allowed while the console is locked, or its settings cannot be used.',
    '',
    ...requestRows,
    '',
    '## Rights',
    '',
    'Main checks the right before the handler runs (`main/app/requests/apply-rules.ts`); a refused request answers `agent.not-allowed`. A request without rules does not compile.',
    '',
    ...rightRows,
    '',
    '- `by input`: some inputs need another right (`shared/contract/required-rights.ts`). Everyone may change their own PIN; `links` suffices to take a payment or return it.',
    `- Each setting has its own right. Everyone: ${fieldsWith('everyone')}. The right \`settings\`: ${fieldsWith('settings')}.`,
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
