import { fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import {
  maxSentenceChars,
  parseScript,
  type CustomScripts,
  type ScriptProblem,
} from '../../../shared/merchant-texts/custom-scripts.ts';
import { paymentStates } from '../../../shared/payments/payment-kinds.ts';

const messageOf = (kind: ScriptProblem['kind']): Message => {
  switch (kind) {
    case 'too-long':
      return msg('script.too-long', { max: maxSentenceChars });
    case 'card-number':
      return msg('card-number.found');
    default:
      return msg(`script.${kind}`);
  }
};

/** Validates custom scripts. Errors: `input.card-number`; `input.invalid`, with a field for every refused script. */
export const checkScripts = (sentences: CustomScripts | undefined): Result<undefined> => {
  const refused = Object.entries(sentences ?? {}).flatMap(([language, ofStates]) =>
    paymentStates.flatMap((state): (FieldProblem & Pick<ScriptProblem, 'kind'>)[] => {
      const text = ofStates[state];
      const read = text === undefined ? null : parseScript(text, state);
      if (read === null || read.ok) return [];
      const { kind } = read.problem;
      return [{ path: `sentences.${language}.${state}`, message: messageOf(kind), kind }];
    }),
  );
  if (refused.length === 0) return ok(undefined);
  const fields = refused.map(({ path, message }) => ({ path, message }));
  return refused.some(({ kind }) => kind === 'card-number')
    ? fail('input.card-number', msg('script.card-number'), { fields })
    : fail('input.invalid', msg('script.not-saved'), { fields });
};
