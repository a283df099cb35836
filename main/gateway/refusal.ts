import type { AppError, FieldProblem } from '../../shared/errors.ts';
import { msg, quoted, type Message } from '../../shared/messages/message.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { quotable } from './redact-answer.ts';

/**
 * A refusal in the form of this gateway family. The interface does not specify it (§7); field notes report `{
 * error_code, error_message, errors: [{ error_code, error_message: "path: text" }] }` and `{ message }`.
 */
export type Refusal = {
  /** The general message, if any. */
  message: string | null;
  /** Field by field, paths as on the wire; null if no field is named. */
  problems: readonly { path: string | null; text: string }[];
};

type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstText = (...values: unknown[]): string | null => {
  for (const value of values) if (typeof value === 'string' && value.trim() !== '') return value;
  return null;
};

const path = /^[\w-]+(?:[.[][\w\]-]+)*$/;

/** `order.amount: text`, split at the first `: ` if a path precedes it. */
const problemOf = (text: string): { path: string | null; text: string } => {
  const colon = text.indexOf(': ');
  const before = colon > 0 ? text.slice(0, colon).trim() : '';
  return path.test(before) ? { path: before, text: text.slice(colon + 2).trim() } : { path: null, text };
};

const itemOf = (item: unknown): { path: string | null; text: string } | null => {
  if (typeof item === 'string') return problemOf(item);
  if (!isObject(item)) return null;
  const text = firstText(item['error_message'], item['message']);
  if (text === null) return null;
  const field = firstText(item['field'], item['path']);
  return field === null ? problemOf(text) : { path: field, text };
};

/**
 * Reads a refusal from a response's JSON; null if it is not a refusal. An `error_code` alone does not count (it is
 * often 0).
 */
export const readRefusal = (value: unknown): Refusal | null => {
  if (!isObject(value)) return null;
  const { errors, error } = value;
  const problems = Array.isArray(errors)
    ? errors.map(itemOf)
    : isObject(errors)
      ? Object.entries(errors).map(([path, entry]) => {
          const text = Array.isArray(entry) ? firstText(...entry) : firstText(entry);
          return text === null ? null : { path, text };
        })
      : [];
  const message = firstText(
    value['error_message'],
    value['message'],
    error,
    isObject(error) ? error['message'] : null,
  );
  const found = problems.filter(problem => problem !== null).slice(0, 50);
  return message === null && found.length === 0 ? null : { message, problems: found };
};

/** Maps wire paths to the field names of the console's forms. */
const formFields: Readonly<Record<string, string>> = {
  'order.amount': 'amount',
  'order.currency': 'currency',
  'order.number': 'orderNumber',
  'order.description': 'description',
  merchant_key: 'merchantKey',
  success_url: 'successUrl',
  cancel_url: 'cancelUrl',
  req_token: 'extras.reqToken',
  recurring_init: 'extras.recurringInit',
  schedule_id: 'extras.scheduleId',
  session_expiry: 'extras.sessionExpiry',
  expiry_url: 'extras.expiryUrl',
  error_url: 'extras.errorUrl',
  channel_id: 'extras.channelId',
  billing_address: 'extras.billingAddress',
  custom_data: 'extras.customData',
  payment_id: 'value',
  order_id: 'value',
};

const formField = (wire: string): string => {
  // The form shows a fault in `custom_data.till` at the whole field.
  for (const name of [wire, wire.split('.', 1)[0] ?? ''])
    if (Object.hasOwn(formFields, name)) return formFields[name] ?? name;
  return /^methods\b/.test(wire) ? 'methods' : wire;
};

export type RequestType = 'session' | 'status' | 'operation';

/** The fields that every look-up of ours carries (§2.4; `order_id` by assumption). */
const lookUpFields = ['merchant_key', 'payment_id', 'order_id', 'hash'];
const missingFieldPattern =
  /\b(?:required|mandatory|missing|absent|blank|null|empty|omitted|(?:must|should) (?:be|have been) (?:provided|present|specified|set|given|sent|supplied|passed)|(?:not|n't) (?:provided|present|specified|set|given|sent|supplied|passed))\b/i;
/** A general sentence about a field that every look-up contains. */
const namesTheRequest = /\b(?:body|payload|fields?|parameters?|merchant_key|payment_id|order_id|hash)\b/i;

/** Whether the gateway reports sent fields as missing: it did not read them. */
const isMissingFields = ({ problems, message }: Refusal): boolean =>
  [...problems, { path: null, text: message ?? '' }].some(
    ({ path, text }) =>
      missingFieldPattern.test(text) &&
      (path === null ? namesTheRequest.test(text) : lookUpFields.includes(path)),
  );

const noPayment = new RegExp(
  [
    String.raw`\b(?:payment|order|transaction|payment_id|order_id)s?\b.{0,100}?(?:\bnot (?:be )?found|\bnot exists?|n['’]t exists?|\bunknown|\bno longer exists?)\b`,
    String.raw`\b(?:no such|no|unknown|(?:cannot|could not|unable to) find(?: (?:the|a|any|this))?) (?:payment|order|transaction)s?\b`,
  ].join('|'),
  'i',
);
/** What else may be missing: an address of the gateway, a merchant or a field. */
const otherThanPayment =
  /\b(?:route|path|url|uri|endpoint|page|resource|method|merchant|account|key|fields?|parameters?)\b|\/api\//i;

/** To whom something belongs is not what is missing. */
const ofMerchant =
  /\b(?:for|of|in|by|with) (?:this |the |your )?(?:merchant|account)(?: (?!(?:was|is|does|could|not|cannot|has)\b)['"]?[\w-]+['"]?)?/gi;

/** Whether the gateway says that the payment does not exist: it read the request, and looked for the payment. */
export const saysNoPayment = ({ problems, message }: Refusal): boolean =>
  [...problems, { path: null, text: message ?? '' }].some(({ path, text }) => {
    const about = text.replaceAll(ofMerchant, '');
    const named = path === 'payment_id' || path === 'order_id' ? `${path} ${about}` : about;
    return (path === null || named !== about) && noPayment.test(named) && !otherThanPayment.test(about);
  });

/** A sentence that calls the hash or signature wrong; the mere mention does not count. */
const callsSignatureWrong = new RegExp(
  [
    String.raw`\b(?:hash|signature)(?: (?:this|value|parameter|is|was|does|did|has|check|verification))* (?:not (?:be )?(?:valid|verified|correct|match)|in(?:valid|correct)|wrong|bad|failed|mismatch)`,
    String.raw`\b(?:invalid|incorrect|wrong|bad) (?:request )?(?:hash|signature)\b`,
  ].join('|'),
  'i',
);

/** Whether the gateway read a signature and calls it wrong. A missing signature was not read. */
const refusesSignature = ({ problems, message }: Refusal): boolean =>
  problems.some(({ path, text }) =>
    callsSignatureWrong.test(path === 'hash' ? `hash ${text}` : path === null ? text : ''),
  ) ||
  (problems.length === 0 && callsSignatureWrong.test(message ?? ''));

/** Whether the gateway reports its own failure, and names no field: the request may have been carried out. */
export const saysInternalError = ({ problems, message }: Refusal): boolean =>
  problems.every(({ path }) => path === null) &&
  [message ?? '', ...problems.map(({ text }) => text)].some(text =>
    /\binternal (?:server )?error\b|\bsystem error\b|\btemporarily unavailable\b|\btimed? ?out\b/i.test(text),
  );

/** HTTP statuses by which a gateway refuses the method or the encoding of the fields. */
const refusesForm = [404, 405, 411, 413, 415, 501];

/** Whether the gateway probably never read the fields of a look-up: another form may be needed. */
export const suggestsOtherForm = (httpStatus: number, refusal: Refusal | null): boolean =>
  !(refusal !== null && saysNoPayment(refusal)) &&
  (refusesForm.includes(httpStatus) || (refusal !== null && isMissingFields(refusal)));

export const otherFormHint = (form: Profile['statusForm']): Message => msg(`gateway.other-form.${form}.hint`);

const wrongPath = msg('gateway.refused.path.hint');
const statusHints: Readonly<Record<number, Message>> = {
  401: msg('gateway.refused.credentials.hint'),
  403: msg('gateway.refused.forbidden.hint'),
  404: wrongPath,
  405: wrongPath,
  413: msg('gateway.refused.too-long.hint'),
  429: msg('gateway.refused.too-many.hint'),
};

/** The words of a refusal, as the gateway wrote them. */
const answerOf = ({ message, problems }: Refusal): string =>
  problems.length === 0
    ? (message ?? '')
    : problems.map(({ path, text }) => (path === null ? text : `${path}: ${text}`)).join(' ');

/** The error for a refusal, with the form's field names. */
export const refusalError = (
  requestType: RequestType,
  httpStatus: number,
  refusal: Refusal | null,
  profile: Profile,
  redact: (text: string) => string,
): AppError => {
  const fields: FieldProblem[] = (refusal?.problems ?? [])
    .filter(problem => problem.path !== null)
    .map(({ path, text }) => ({
      path: formField(quotable(path ?? '', redact)),
      message: quoted(quotable(text, redact)),
    }));
  const details = { httpStatus };
  if (refusal && !isMissingFields(refusal) && refusesSignature(refusal))
    return {
      code: 'gateway.signature-refused',
      message: msg('gateway.signature-refused', { answer: quotable(answerOf(refusal), redact) }),
      // All causes: the gateway uses the same words for each.
      hint: msg(`gateway.signature-refused.${requestType}.hint`),
      ...(fields.length > 0 ? { fields } : {}),
      details,
    };
  const reason = refusal
    ? quotable(
        [refusal.message, ...refusal.problems.filter(({ path }) => path === null).map(({ text }) => text)]
          .filter(text => text !== null)
          .join(' '),
        redact,
      )
    : '';
  const status = httpStatus;
  if (requestType === 'status' && refusal && saysNoPayment(refusal)) {
    const named = refusal.problems
      .filter(({ path }) => path !== null)
      .map(({ text }) => quotable(text, redact));
    const said = [reason, ...named];
    return {
      code: 'payment.missing',
      message: msg('gateway.no-payment', { status, answer: said.filter(text => text !== '').join(' ') }),
      hint: msg('gateway.no-payment.hint'),
      details,
    };
  }
  const saved = requestType === 'status' ? msg('gateway.other-shape.hint') : msg('gateway.refused.hint');
  const hint =
    requestType === 'status' && suggestsOtherForm(httpStatus, refusal)
      ? otherFormHint(profile.statusForm)
      : requestType === 'operation' && httpStatus === 404
        ? msg('gateway.refused.no-operation.hint')
        : (statusHints[httpStatus] ?? (fields.length > 0 ? msg('gateway.refused.fields.hint') : saved));
  return {
    code: 'gateway.refused',
    message:
      reason === ''
        ? msg(`gateway.refused.${requestType}`, { status })
        : msg(`gateway.refused.${requestType}.reason`, { status, reason }),
    hint,
    ...(fields.length > 0 ? { fields } : {}),
    details,
  };
};
