import { fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import {
  maxSentenceChars,
  parseScript,
  type CustomScripts,
  type ScriptProblem,
} from '../../../shared/settings/custom-scripts.ts';
import { paymentStates } from '../../../shared/payments/payment-kinds.ts';

const messages: Readonly<Record<ScriptProblem['kind'], string>> = {
  'too-long': `A script has at most ${maxSentenceChars} characters.`,
  'line-break': 'A script must be on one line.',
  hidden: 'A script cannot contain invisible characters.',
  'card-number': 'This looks like a card number.',
  'no-words': 'A script needs words besides placeholders.',
  unreadable: 'The braces in this script are not valid.',
  unknown: 'This script has a placeholder that is not available.',
  plural: 'The plural in this script is not valid.',
};

/** Validates custom scripts. Errors: `input.card-number`; `input.invalid`, with a field for every refused script. */
export const checkScripts = (sentences: CustomScripts | undefined): Result<undefined> => {
  const refused = Object.entries(sentences ?? {}).flatMap(([language, ofStates]) =>
    paymentStates.flatMap((state): (FieldProblem & Pick<ScriptProblem, 'kind'>)[] => {
      const text = ofStates[state];
      const read = text === undefined ? null : parseScript(text, state);
      if (read === null || read.ok) return [];
      const { kind } = read.problem;
      return [{ path: `sentences.${language}.${state}`, message: messages[kind], kind }];
    }),
  );
  if (refused.length === 0) return ok(undefined);
  const fields = refused.map(({ path, message }) => ({ path, message }));
  return refused.some(({ kind }) => kind === 'card-number')
    ? fail('input.card-number', 'Card numbers cannot be saved in a script.', { fields })
    : fail('input.invalid', 'The scripts were not saved because one of them is not valid.', { fields });
};
