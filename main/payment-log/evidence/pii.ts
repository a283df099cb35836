import type { EventBody, EventKind } from '../../../shared/payments/evidence.ts';
import { isPersonalName, isSecretName } from '../../../shared/callbacks/pii-fields.ts';
import type { PaymentOptions } from '../../../shared/settings/offered-options.ts';
import { asJson } from './body-codec.ts';

/** Kind and body of an event, as a pair. */
export type Content = { [K in EventKind]: { kind: K; body: EventBody<K> } }[EventKind];

/** A text that may contain such a name, an e-mail address, an unmasked secret or a value already taken out. */
const mayHold =
  /@|""|customer|custom_data|billing|payer|e-?mail|phone|(token|hash|password|secret)(?!":"•••")|["_[](ip|zip|city|street|address|first_?name|last_?name)\b/i;

/**
 * Replaces a personal value in a stored body, and is returned after the value was erased. An empty value is treated
 * as personal too, so that a stored body is unambiguous.
 */
const redactedValue = '';
/** Replaces a secret that was never written. */
const masked = '•••';

/** The treatment of each value of a body that is taken out, in a fixed order. */
type PersonalPass = {
  /** Any value about a person. */
  personal: (value: string) => string;
  /** A token, a hash, or a text that may quote one: taken out unless it was masked before it was written. */
  secret: (value: string) => string;
};

const customer = <
  C extends { name?: string | undefined; email?: string | undefined; phone?: string | undefined },
>(
  of: C,
  pass: PersonalPass,
): C => ({
  ...of,
  ...(of.name === undefined ? {} : { name: pass.personal(of.name) }),
  ...(of.email === undefined ? {} : { email: pass.personal(of.email) }),
  ...(of.phone === undefined ? {} : { phone: pass.personal(of.phone) }),
});

/** Where a customer lives, and what an agent wrote about the payment. */
const options = (
  { billingAddress, customData, ...rest }: PaymentOptions,
  pass: PersonalPass,
): PaymentOptions => {
  const each = <V extends Readonly<Record<string, string | undefined>>>(values: V): V =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value === undefined ? value : pass.personal(value),
      ]),
    ) as V;
  return {
    ...rest,
    ...(billingAddress && { billingAddress: each(billingAddress) }),
    ...(customData && { customData: each(customData) }),
  };
};

/** Keys of a JSON text whose whole value is about a person. */
const personalObject = /customer|custom_data|billing|payer/i;

/** A text as sent or received: from JSON only the personal values, otherwise the whole text if it may quote one. */
const wholeText = (text: string, pass: PersonalPass): string => {
  if (text !== redactedValue && !mayHold.test(text)) return text;
  const parsed = asJson(text);
  if (parsed === undefined) return pass.secret(text);
  const mapValue = (value: unknown, personal: boolean, secret: boolean): unknown => {
    if (typeof value === 'string') {
      if (personal) return pass.personal(value);
      return secret || value === redactedValue || value.includes('@') ? pass.secret(value) : value;
    }
    if (Array.isArray(value)) return value.map(item => mapValue(item, personal, secret));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, of]) => [
        key,
        mapValue(
          of,
          personal || personalObject.test(key) || isPersonalName(key),
          secret || isSecretName(key),
        ),
      ]),
    );
  };
  return JSON.stringify(mapValue(parsed, false, false));
};

const named = (name: string, value: string, pass: PersonalPass): string => {
  if (isPersonalName(name)) return pass.personal(value);
  return isSecretName(name) ? pass.secret(value) : value;
};

const answer = <A extends { body: string } | null>(of: A, pass: PersonalPass): A =>
  of === null ? of : { ...of, body: wholeText(of.body, pass) };

/** The same body with every personal value passed through `pass`. */
const mapPersonal = ({ kind, body }: Content, pass: PersonalPass): Content['body'] => {
  switch (kind) {
    case 'session.requested':
      return {
        ...body,
        customer: body.customer && customer(body.customer, pass),
        request: wholeText(body.request, pass),
        ...(body.options && { options: options(body.options, pass) }),
      };
    case 'session.accepted':
      return { ...body, answer: answer(body.answer, pass) };
    case 'session.refused':
      return { ...body, answer: answer(body.answer, pass) };
    case 'session.unanswered':
      return { ...body, answer: answer(body.answer, pass) };
    case 'operation.requested':
      return {
        ...body,
        ...(body.charge?.customer && {
          charge: { ...body.charge, customer: customer(body.charge.customer, pass) },
        }),
        request: wholeText(body.request, pass),
      };
    case 'operation.answered':
      return { ...body, answer: answer(body.answer, pass) };
    case 'operation.refused':
      return { ...body, answer: answer(body.answer, pass) };
    case 'operation.unanswered':
      return { ...body, answer: answer(body.answer, pass) };
    case 'callback.received':
      return {
        ...body,
        fields: body.fields.map(([name, value]): [string, string] => [name, named(name, value, pass)]),
      };
    case 'status.observed':
      return {
        ...body,
        answers: body.answers.map(one => ({
          ...one,
          customer: one.customer && customer(one.customer, pass),
          extra: Object.fromEntries(
            Object.entries(one.extra).map(([name, value]) => [name, named(name, value, pass)]),
          ),
        })),
        answer: answer(body.answer, pass),
      };
    case 'callback.reverified':
    case 'note.added':
    case 'link.shared':
    case 'link.withdrawn':
    case 'customer.joined':
    case 'customer.separated':
    case 'review.resolved':
    case 'review.reopened':
    case 'review.assigned':
    case 'review.snoozed':
    case 'movement.recorded':
    case 'amended':
    case 'dispute.noted':
    case 'statement.recorded':
    case 'activity.recorded':
      break;
  }
  return body;
};

/**
 * Takes the personal values out of an event's body, so that they can be erased without changing the evidence. Takes
 * out secrets (tokens, the hash) as well, so that the body can be shown to others as it was hashed. Returns the body
 * without them, which equals the hashed text, and the values in order (none if all of them are empty).
 */
export const hidePersonal = (
  content: Content,
): { body: Content['body']; text: string; values: readonly string[] } => {
  const values: string[] = [];
  const take = (value: string): string => {
    values.push(value);
    return redactedValue;
  };
  const body = mapPersonal(content, {
    personal: take,
    secret: value => (value === masked ? value : take(value)),
  });
  return {
    body,
    text: JSON.stringify(body),
    values: values.some(value => value !== redactedValue) ? values : [],
  };
};

/** Restores a stored body; personal values that were erased read as ''. */
export const showPersonal = (content: Content, values: readonly string[]): Content['body'] => {
  if (values.length === 0) return content.body;
  let next = 0;
  const nextValue = (): string => values[next++] ?? redactedValue;
  return mapPersonal(content, {
    personal: nextValue,
    secret: value => (value === redactedValue ? nextValue() : value),
  });
};
