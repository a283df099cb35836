import { randomUUID } from 'node:crypto';
import { statusForms } from '../../../shared/gateway-variants.ts';
import type { LookUpKey } from '../../../shared/payments/evidence.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { failureError } from '../gateway-failures.ts';
import type { StatusOutcome } from '../gateway.ts';
import type { HttpOutcome, HttpRequest } from '../http-request.ts';
import { statusOutcome } from '../look-up.ts';
import { redactor } from '../redact-answer.ts';
import { otherFormHint, suggestsOtherForm } from '../refusal.ts';
import { statusRequest } from '../status-request.ts';

/**
 * The status requests of a connection check, and what their answers show. They change nothing at the gateway. One that
 * is refused counts there as a wrong signature, so each of them is sent once.
 */

type StatusForm = Profile['statusForm'];

/** One attempt: the form of the request, and what came back. */
export type StatusProbe = { form: StatusForm; outcome: StatusOutcome };

/** A payment that does not exist. */
export const madeUpPayment = (): LookUpKey => ({ by: 'payment-id', value: randomUUID() });

/** Reads the answer to a status request of a check. `secrets`: password and hash, hidden in it. */
export const readProbe = (
  outcome: HttpOutcome,
  profile: Profile,
  base: string,
  secrets: readonly string[],
): StatusOutcome =>
  outcome.kind === 'answered'
    ? statusOutcome(outcome.received, profile, base, redactor([...secrets]))
    : {
        kind: 'failed',
        error: failureError('status', outcome, new URL(base).host, profile.timeouts),
        answer: null,
      };

/** Sends status requests for one payment, each with what it changes in the profile or the password. */
export type AskStatus = (
  key: LookUpKey,
  changes?: Partial<Pick<Profile, 'statusForm' | 'digest' | 'requestUppercasing' | 'merchantKey'>>,
  secret?: string,
) => Promise<StatusOutcome>;

/** `base`: from `checkBaseUrl`; `send`: one HTTP request. */
export const statusAsker =
  (
    profile: Profile,
    base: string,
    password: string,
    send: (request: HttpRequest) => Promise<HttpOutcome>,
  ): AskStatus =>
  async (key, changes = {}, secret = password) => {
    const other = { ...profile, ...changes };
    const { httpRequest, hash } = statusRequest(other, base, secret, key);
    return readProbe(await send(httpRequest), other, base, [password, secret, hash]);
  };

/** Whether the gateway looked for the payment, so that it read the fields and did not refuse the signature. */
export const searchedForPayment = (outcome: StatusOutcome): boolean =>
  outcome.kind === 'answered' || outcome.error.message.key === 'gateway.no-payment';

export const isSignatureRefused = (outcome: StatusOutcome): boolean =>
  outcome.kind === 'failed' && outcome.error.code === 'gateway.signature-refused';

/** Whether the HTTP status alone refuses who asks. */
export const isAccessRefused = (outcome: StatusOutcome): boolean =>
  outcome.kind === 'failed' && [401, 403].includes(outcome.answer?.httpStatus ?? 0);

export const isOtherFormSuggested = ({ form, outcome }: StatusProbe): boolean =>
  outcome.kind === 'failed' && outcome.error.hint?.key === otherFormHint(form).key;

/** Whether the form is rejected as a whole, not for missing fields. */
export const isFormRejected = (probe: StatusProbe): boolean =>
  suggestsOtherForm(probe.outcome.answer?.httpStatus ?? 0, null);

/** How well a form works: 3 = answered, 2 = it looked for the payment, 1 = it read a signature, 0 = neither. */
const gradeOf = ({ outcome }: StatusProbe): number => {
  if (outcome.kind === 'answered') return 3;
  if (searchedForPayment(outcome)) return 2;
  return isSignatureRefused(outcome) ? 1 : 0;
};

/** Whether the gateway reads this form. */
export const isFormRead = (probe: StatusProbe): boolean => gradeOf(probe) > 0;

/**
 * Tries the other forms if the first one does not seem to be the gateway's. `send` returns the outcome of one request.
 * Returns the best attempt; the first one if none is better.
 */
export const bestProbe = async (
  first: StatusProbe,
  isKnown: boolean,
  send: (form: StatusForm) => Promise<StatusOutcome>,
): Promise<StatusProbe> => {
  const isRefusedThoughKnown = isKnown && gradeOf(first) === 1;
  if (!isRefusedThoughKnown && !isOtherFormSuggested(first)) return first;
  let best = first;
  for (const form of statusForms) {
    if (form === first.form || gradeOf(best) === 3) continue;
    const probe = { form, outcome: await send(form) };
    if (gradeOf(probe) > gradeOf(best)) best = probe;
  }
  return best;
};

/**
 * What the same request with a wrong password shows. `different`: it was refused, so the right one is accepted, which
 * proves key and password. `same`: the gateway does not check the password here.
 */
export type Comparison = 'different' | 'same' | 'unclear';

/**
 * Asks again with a random password, once. A refusal that is not about the signature could have another reason, such as
 * too many requests: it counts only if the right password is still accepted afterwards.
 */
export const compareWithWrongPassword = async (key: LookUpKey, ask: AskStatus): Promise<Comparison> => {
  const wrong = await ask(key, {}, randomUUID());
  if (isSignatureRefused(wrong)) return 'different';
  if (searchedForPayment(wrong)) return 'same';
  return isAccessRefused(wrong) && searchedForPayment(await ask(key)) ? 'different' : 'unclear';
};

/** The words of a refusal, without what differs from one answer to the next. */
const refusalWords = (outcome: StatusOutcome, keys: readonly string[]): string => {
  if (outcome.kind === 'answered') return '';
  const { code, message, fields } = outcome.error;
  let text = JSON.stringify([code, message, fields ?? []]);
  for (const key of keys) text = text.replaceAll(key, '');
  return text.replaceAll(/[\p{L}_.-]*\d[\p{L}\d_.-]*/gu, '');
};

/**
 * Whether the gateway refuses a key that does not exist in other words than the profile's: then it knows the profile's.
 * `refused`: its answer to the profile's key.
 */
export const isKeyKnown = async (
  refused: StatusOutcome,
  key: LookUpKey,
  profile: Profile,
  ask: AskStatus,
): Promise<boolean> => {
  const merchantKey = randomUUID();
  const other = await ask(key, { merchantKey });

  const isRead = isSignatureRefused(other) || isAccessRefused(other) || other.answer?.httpStatus === 400;
  if (!isRead) return false;
  const keys = [merchantKey, profile.merchantKey];
  return refusalWords(other, keys) !== refusalWords(refused, keys);
};
