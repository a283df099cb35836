import type { AnswerExcerpt, Event } from '../../../shared/payments/evidence.ts';
import { isSecretName } from '../../../shared/callbacks/pii-fields.ts';
import { maskFields, maskJson } from '../../callbacks/verify-callback.ts';

/** Hides tokens and hashes in JSON or form text; the field remains recognisable. */
const maskText = (text: string): string =>
  maskJson(text).replaceAll(/((?:^|[&\n])[^=&\n]*(?:token|hash|password)[^=&\n]*=)[^&\n]+/gi, '$1•••');

const maskAnswer = <A extends AnswerExcerpt | null>(answer: A): A =>
  answer === null ? answer : { ...answer, body: maskText(answer.body) };

/** An event for the renderer: tokens and hashes are shown as present, without their value. */
export const maskEvent = (event: Event): Event => {
  switch (event.kind) {
    case 'callback.received':
      return { ...event, body: { ...event.body, fields: maskFields(event.body.fields) } };
    case 'status.observed':
      return {
        ...event,
        body: {
          ...event.body,
          answers: event.body.answers.map(answer => ({
            ...answer,
            extra: Object.fromEntries(
              Object.entries(answer.extra).map(([name, value]) => [name, isSecretName(name) ? '•••' : value]),
            ),
          })),
          answer: maskAnswer(event.body.answer),
        },
      };
    case 'session.requested':
      return { ...event, body: { ...event.body, request: maskText(event.body.request) } };
    case 'operation.requested':
      return { ...event, body: { ...event.body, request: maskText(event.body.request) } };
    case 'operation.answered':
    case 'operation.refused':
    case 'operation.unanswered':
    case 'session.accepted':
    case 'session.refused':
    case 'session.unanswered':
      return { ...event, body: { ...event.body, answer: maskAnswer(event.body.answer) } } as Event;
    default:
      return event;
  }
};
