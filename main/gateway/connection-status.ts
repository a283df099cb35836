import { randomUUID } from 'node:crypto';
import type { CheckStep } from '../../shared/contract/index.ts';
import { statusForms } from '../../shared/gateway-variants.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { failureError } from './gateway-failures.ts';
import type { KnownPayment, StatusOutcome } from './gateway.ts';
import type { HttpOutcome } from './http-request.ts';
import { statusOutcome } from './look-up.ts';
import { redactor } from './redact-answer.ts';
import { otherFormHint, suggestsOtherForm } from './refusal.ts';
import { statusRequest } from './status-request.ts';

/**
 * The last step of the connection check: a status request, for a payment that the gateway knows if there is one, since
 * only its answer proves key and password. If the profile's form of the request fails, the other forms are tried.
 */

type StatusForm = Profile['statusForm'];

/** One attempt: the form of the request, and what came back. */
export type StatusProbe = { form: StatusForm; outcome: StatusOutcome };

/** The status request of a check; `hash`: as in `statusRequest`. */
export const probeRequest = (
  profile: Profile,
  base: string,
  password: string,
  known: KnownPayment | null,
): ReturnType<typeof statusRequest> =>
  statusRequest(profile, base, password, known?.key ?? { by: 'payment-id', value: randomUUID() });

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

/** Whether the gateway looked for the payment, so that it read the fields and accepted the signature. */
const searchedForPayment = (outcome: StatusOutcome): boolean =>
  outcome.kind === 'answered' || outcome.error.message.key === 'gateway.no-payment';

const isOtherFormSuggested = ({ form, outcome }: StatusProbe): boolean =>
  outcome.kind === 'failed' && outcome.error.hint?.key === otherFormHint(form).key;

/** Why the form does not work: its fields do not arrive, or it is rejected as a whole. */
const formTitle = (probe: StatusProbe): Message =>
  isOtherFormSuggested(probe) && !suggestsOtherForm(probe.outcome.answer?.httpStatus ?? 0, null)
    ? msg('connection.status.fields-missing')
    : msg('connection.status.other-form');

/** How well a form works: 3 = answered, 2 = it looked for the payment, 1 = it read a signature, 0 = neither. */
const gradeOf = ({ outcome }: StatusProbe): number => {
  if (outcome.kind === 'answered') return 3;
  if (searchedForPayment(outcome)) return 2;
  return outcome.error.code === 'gateway.signature-refused' ? 1 : 0;
};

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

const formMessage = (form: StatusForm): Message => msg(`status-form.${form}`);

/** The step for the profile's own form (`first`) and the best one. */
export const statusStep = (
  first: StatusProbe,
  best: StatusProbe,
  profile: Pick<Profile, 'kind'>,
  known: KnownPayment | null,
): CheckStep => {
  const report = (
    outcome: CheckStep['outcome'],
    title: Message,
    meaning: Message,
    todo: Message | null = null,
  ): CheckStep => ({ step: 'status', outcome, title, meaning, todo });
  const { outcome } = first;
  if (best.form !== first.form) {
    const proof =
      best.outcome.kind === 'answered' && known !== null
        ? msg('connection.status.form-found.proven', { form: formMessage(best.form) })
        : msg('connection.status.form-found.text', { form: formMessage(best.form) });
    return report('bad', formTitle(first), proof, msg('connection.status.form-found.todo'));
  }
  if (outcome.kind === 'answered') {
    return known
      ? report(
          'good',
          msg('connection.status.proven'),
          msg('connection.status.proven.text', { order: known.orderNumber }),
        )
      : report(
          'warning',
          msg('connection.status.unexpected'),
          msg('connection.status.unexpected.text'),
          msg('connection.status.unexpected.todo'),
        );
  }
  const { code, message, hint } = outcome.error;
  const httpStatus = outcome.answer?.httpStatus ?? 0;
  const createPayment = msg('connection.status.create-payment.todo');
  if (searchedForPayment(outcome)) {
    return report(
      'good',
      msg('connection.status.accepted'),
      msg('connection.status.accepted.text', { answer: message }),
    );
  }
  if (code === 'gateway.signature-refused') {
    // Counterfoil starts the sandbox with the key and password of its profile.
    if (profile.kind === 'sandbox') {
      return report(
        'good',
        msg('connection.status.sandbox'),
        msg('connection.status.sandbox.text', { answer: message }),
      );
    }
    const causes = msg('gateway.signature-refused.status.hint');
    return known
      ? report(
          'bad',
          msg('connection.status.refused'),
          msg('connection.status.refused.text', { order: known.orderNumber, answer: message, causes }),
          msg('connection.status.refused.todo'),
        )
      : report(
          'warning',
          msg('connection.status.not-proven'),
          msg('connection.status.not-proven.text', { answer: message, causes }),
          createPayment,
        );
  }
  if (isOtherFormSuggested(first)) {
    return report('bad', formTitle(first), message, hint ?? null);
  }
  if (code === 'gateway.refused' && [400, 422].includes(httpStatus)) {
    return report(
      'warning',
      msg('connection.status.no-reason'),
      msg('connection.status.no-reason.text', { answer: message }),
      createPayment,
    );
  }
  const title = outcome.answer === null ? msg('connection.status.no-response') : msg('connection.status.bad');
  return report('bad', title, message, hint ?? null);
};

/** Whether the gateway accepted the signature of the profile's own form. */
export const isProven = ({ outcome }: StatusProbe, known: KnownPayment | null): boolean =>
  outcome.kind === 'answered' ? known !== null : searchedForPayment(outcome);
