import { fail, ok, type Result } from '../../../shared/errors.ts';
import { languages } from '../../../shared/messages/language.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import {
  maxMessageChars,
  messageSlots,
  parseMessage,
  type MessageProblem,
  type MessageTemplates,
} from '../../../shared/merchant-texts/message-templates.ts';

const messageOf = (kind: MessageProblem['kind']): Message => {
  switch (kind) {
    case 'too-long':
      return msg('script.too-long', { max: maxMessageChars });
    case 'card-number':
      return msg('card-number.found');
    case 'no-link':
    case 'link-in-subject':
      return msg(`messages.invalid.${kind}`);
    default:
      return msg(`script.${kind}`);
  }
};

/** Validates messages to customers. Errors: `input.card-number`; `input.invalid`, with a field for every refused one. */
export const checkMessages = (templates: MessageTemplates | undefined): Result<undefined> => {
  const refused = languages.flatMap(language =>
    messageSlots.flatMap(slot => {
      const text = templates?.[language][slot];
      const read = text === undefined ? null : parseMessage(text, slot);
      if (read === null || read.ok) return [];
      const { kind } = read.problem;
      return [{ path: `messages.${language}.${slot}`, message: messageOf(kind), kind }];
    }),
  );
  if (refused.length === 0) return ok(undefined);
  const fields = refused.map(({ path, message }) => ({ path, message }));
  return refused.some(({ kind }) => kind === 'card-number')
    ? fail('input.card-number', msg('script.card-number'), { fields })
    : fail('input.invalid', msg('script.not-saved'), { fields });
};
