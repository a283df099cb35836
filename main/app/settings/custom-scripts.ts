import { fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import {
  maxSentenceChars,
  parseScript,
  type CustomScripts,
  type ScriptProblem,
} from '../../../shared/settings/custom-scripts.ts';
import { paymentStates } from '../../../shared/payments/payment-kinds.ts';

const messages: Readonly<Record<ScriptProblem['kind'], string>> = {
  'too-long': `A sentence to say has at most ${maxSentenceChars} characters.`,
  'line-break': 'A sentence to say stands on one line.',
  hidden: 'A sentence to say holds no characters that cannot be seen.',
  'card-number': 'This looks like a card number.',
  'no-words': 'A sentence to say has words of its own.',
  unreadable: 'The braces of this sentence to say cannot be read.',
  unknown: 'This sentence to say holds a placeholder that our own does not take.',
  plural: 'The plural of this sentence to say cannot be read.',
};

/**
 * Whether these sentences can be said.
 * Errors: `input.card-number`; `input.invalid`, with a field for every sentence that is refused.
 */
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
    ? fail('input.card-number', 'A sentence to say never holds a card number.', { fields })
    : fail('input.invalid', 'The sentences to say were not kept: one of them cannot be said.', { fields });
};
