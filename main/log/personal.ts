import type { EventBody, EventKind } from '../../shared/evidence.ts';
import { isPersonalName } from '../../shared/personal-names.ts';
import { asJson } from './shapes.ts';

/** Kind and body of an event, as a pair. */
export type Content = { [K in EventKind]: { kind: K; body: EventBody<K> } }[EventKind];

/** A text that may hold such a name, an e-mail address or a value already taken out. */
const mayHold =
  /@|""|customer|billing|payer|e-?mail|phone|["_[](ip|zip|city|street|address|first_?name|last_?name)\b/i;

/**
 * What stands in a stored body for a personal value, and what is read when it has been erased. A value that
 * is empty by itself is treated as hidden too, so that a stored body never leaves it open which one is meant.
 */
const hidden = '';

/** Something done to each personal value of a body, in a fixed order. */
type Visit = (value: string) => string;

const customer = <C extends { name?: string | undefined; email?: string | undefined }>(
  of: C,
  visit: Visit,
): C => ({
  ...of,
  ...(of.name === undefined ? {} : { name: visit(of.name) }),
  ...(of.email === undefined ? {} : { email: visit(of.email) }),
});

/** Keys of a JSON text under which everything is about a person. */
const personalObject = /customer|billing|payer/i;

/** A text as it was sent or answered: in JSON its personal values alone, otherwise the whole when it may quote one. */
const wholeText = (text: string, visit: Visit): string => {
  if (text !== hidden && !mayHold.test(text)) return text;
  const parsed = asJson(text);
  if (parsed === undefined) return visit(text);
  const walk = (value: unknown, personal: boolean): unknown => {
    if (typeof value === 'string')
      return personal || value === hidden || value.includes('@') ? visit(value) : value;
    if (Array.isArray(value)) return value.map(item => walk(item, personal));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, of]) => [
        key,
        walk(of, personal || personalObject.test(key) || isPersonalName(key)),
      ]),
    );
  };
  return JSON.stringify(walk(parsed, false));
};

const answer = <A extends { body: string } | null>(of: A, visit: Visit): A =>
  of === null ? of : { ...of, body: wholeText(of.body, visit) };

/** The same body with every personal value passed through `visit`. */
const eachPersonal = ({ kind, body }: Content, visit: Visit): Content['body'] => {
  switch (kind) {
    case 'session.requested':
      return {
        ...body,
        customer: body.customer && customer(body.customer, visit),
        request: wholeText(body.request, visit),
      };
    case 'session.accepted':
      return { ...body, answer: answer(body.answer, visit) };
    case 'session.refused':
      return { ...body, answer: answer(body.answer, visit) };
    case 'session.unanswered':
      return { ...body, answer: answer(body.answer, visit) };
    case 'callback.received':
      return {
        ...body,
        fields: body.fields.map(([name, value]): [string, string] => [
          name,
          isPersonalName(name) ? visit(value) : value,
        ]),
      };
    case 'status.observed':
      return {
        ...body,
        answers: body.answers.map(one => ({
          ...one,
          customer: one.customer && customer(one.customer, visit),
          extra: Object.fromEntries(
            Object.entries(one.extra).map(([name, value]) => [
              name,
              isPersonalName(name) ? visit(value) : value,
            ]),
          ),
        })),
        answer: answer(body.answer, visit),
      };
    case 'callback.judged':
    case 'note.added':
    case 'handover':
    case 'amended':
      break;
  }
  return body;
};

/**
 * Takes the personal values out of an event's body, so that they can be erased without touching the evidence.
 * Returns the body without them, the same as the text that is hashed, and the values in order (none when all
 * of them are empty).
 */
export const hidePersonal = (
  content: Content,
): { body: Content['body']; text: string; values: readonly string[] } => {
  const values: string[] = [];
  const body = eachPersonal(content, value => {
    values.push(value);
    return hidden;
  });
  return { body, text: JSON.stringify(body), values: values.some(value => value !== hidden) ? values : [] };
};

/** Puts a stored body together again; personal values that were erased read as ''. */
export const showPersonal = (content: Content, values: readonly string[]): Content['body'] => {
  if (values.length === 0) return content.body;
  let next = 0;
  return eachPersonal(content, () => values[next++] ?? hidden);
};
