import type { EventBody, EventKind } from '../../shared/evidence.ts';

/** Kind and body of an event, as a pair. */
export type Content = { [K in EventKind]: { kind: K; body: EventBody<K> } }[EventKind];

/** Parameters, beyond §2.6's customer fields, that name a person: billing and payer fields, custom data. */
const personalName =
  /^(customer|billing|payer)[_[]|e-?mail|phone|(^|[_[])(ip|zip|city|street|address|first_?name|last_?name)\b/i;
/** A text that may quote a person's details. */
const mayQuote = /@|customer|billing|payer|phone/i;

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

const answer = <A extends { body: string } | null>(of: A, visit: Visit): A =>
  of === null || !isPersonal(of.body) ? of : { ...of, body: visit(of.body) };

/** What stands in a stored body for a personal value, and what is read when it has been erased. */
const hidden = '';

/** An empty text is treated as hidden too, so that a stored body never leaves it open which one is meant. */
const isPersonal = (text: string): boolean => text === hidden || mayQuote.test(text);

/** The same body with every personal value passed through `visit`. */
const eachPersonal = ({ kind, body }: Content, visit: Visit): Content['body'] => {
  switch (kind) {
    case 'session.requested':
      return {
        ...body,
        customer: body.customer && customer(body.customer, visit),
        request: isPersonal(body.request) ? visit(body.request) : body.request,
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
          personalName.test(name) ? visit(value) : value,
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
              personalName.test(name) ? visit(value) : value,
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
 * Returns the body as it is stored and hashed, and the values in order (none when all of them are empty).
 */
export const hidePersonal = (content: Content): { body: string; values: readonly string[] } => {
  const values: string[] = [];
  const body = eachPersonal(content, value => {
    values.push(value);
    return hidden;
  });
  return { body: JSON.stringify(body), values: values.some(value => value !== hidden) ? values : [] };
};

/** Puts a stored body together again; personal values that were erased read as ''. */
export const showPersonal = (content: Content, values: readonly string[]): Content['body'] => {
  if (values.length === 0) return content.body;
  let next = 0;
  return eachPersonal(content, () => values[next++] ?? hidden);
};
