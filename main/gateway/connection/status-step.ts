import { joined, msg, type Message } from '../../../shared/messages/message.ts';
import type { BetterSetting } from '../../../shared/settings/connection-check.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { KnownPayment, StatusOutcome } from '../gateway.ts';
import {
  findingOf,
  namesKey,
  otherHashSettings,
  wrongAddress,
  wrongCredentials,
  wrongKey,
  wrongSetting,
  type Finding,
} from './findings.ts';
import {
  compareWithWrongPassword,
  isAccessRefused,
  isFormRejected,
  isOtherFormSuggested,
  isSignatureRefused,
  searchedForPayment,
  type AskStatus,
  type StatusProbe,
} from './status-probe.ts';

/**
 * The step of the connection check that asks for a status. The answer for the right password alone proves nothing, since
 * a gateway may look for the payment first: only one that refuses the same request with a wrong password does.
 */

const report = findingOf('status');

type StatusFacts = {
  /** The profile's form, and the best one. */
  first: StatusProbe;
  best: StatusProbe;
  /** The payment that was asked for; null = a made-up one. */
  known: KnownPayment | null;
  key: KnownPayment['key'];
  /** A link was accepted in this check. */
  isProven: boolean;
  ask: AskStatus;
  isKeyKnown: () => Promise<boolean>;
};

const createLink = msg('connection.status.create-payment.todo');

/** The gateway read the request of the right password. */
const searched = async ({ first: { outcome }, known, key, isProven, ask }: StatusFacts): Promise<Finding> => {
  const answer: Message =
    outcome.kind === 'failed'
      ? msg('connection.status.accepted.text', { answer: outcome.error.message })
      : msg('connection.status.proven.text', { order: known?.orderNumber ?? '' });
  if (isProven) return report('good', msg('connection.status.works'), answer);
  const comparison = await compareWithWrongPassword(key, ask);
  if (comparison === 'different') {
    const proof = joined(answer, msg('connection.status.compared.text'));
    return report('good', msg('connection.status.proven'), proof, null, { isProven: true });
  }
  return report(
    'warning',
    msg('connection.status.not-proven'),
    joined(answer, msg(`connection.status.${comparison}.text`)),
    comparison === 'unclear' ? msg('connection.status.unclear.todo') : createLink,
  );
};

/** Another hash setting with which the gateway looks for the payment. */
const otherHash = async (
  { key, ask }: StatusFacts,
  profile: Profile,
  signed: string,
): Promise<BetterSetting | null> => {
  for (const better of otherHashSettings(profile, signed))
    if (searchedForPayment(await ask(key, better))) return better;
  return null;
};

const signatureRefused = async (
  facts: StatusFacts,
  answer: Message,
  profile: Profile,
  password: string,
): Promise<Finding> => {
  const { known, key, isProven } = facts;
  if (isProven)
    return known === null
      ? report('good', msg('connection.status.works'), msg('connection.status.unknown.text', { answer }))
      : report(
          'warning',
          msg('connection.status.by-order'),
          msg('connection.status.by-order.text', { answer }),
          msg('connection.status.by-order.todo'),
        );
  const better = await otherHash(facts, profile, password + key.value);
  if (better) return wrongSetting(report, better, msg('connection.status.setting-found.text'));
  if (known !== null)
    return wrongCredentials(
      report,
      msg('connection.status.refused.text', { order: known.orderNumber, answer }),
      await facts.isKeyKnown(),
    );
  const keyKnown = (await facts.isKeyKnown()) ? msg('connection.status.key-known') : null;
  return report(
    'warning',
    msg('connection.status.not-proven'),
    joined(msg('connection.status.not-proven.text', { answer }), keyKnown),
    createLink,
  );
};

const otherForm = ({ first, best, known }: StatusFacts): Finding => {
  const form = msg(`status-form.${best.form}`);
  const isRejected = isFormRejected(first);
  return report(
    'bad',
    msg(
      isRejected || !isOtherFormSuggested(first)
        ? 'connection.status.other-form'
        : 'connection.status.fields-missing',
    ),
    best.outcome.kind === 'answered' && known !== null
      ? msg('connection.status.form-found.proven', { form })
      : msg('connection.status.form-found.text', { form }),
    msg('connection.wrong.setting.todo'),
    { better: { statusForm: best.form }, suspects: ['statusForm'] },
  );
};

/** An answer that is neither a status, nor about a payment or a signature. */
const unusable = async (
  { first, isKeyKnown }: StatusFacts,
  outcome: StatusOutcome & { kind: 'failed' },
): Promise<Finding> => {
  const { code, message, hint = null } = outcome.error;
  const httpStatus = outcome.answer?.httpStatus ?? 0;
  if (namesKey(outcome.error)) return wrongKey(report, message);
  if (isAccessRefused(outcome)) return wrongCredentials(report, message, await isKeyKnown());
  if (code === 'gateway.not-json' || code === 'gateway.redirected') return wrongAddress(report, message);
  if (isOtherFormSuggested(first))
    return isFormRejected(first)
      ? report('bad', msg('connection.status.other-form'), message, hint, {
          suspects: ['baseUrl', 'statusForm'],
        })
      : report('bad', msg('connection.status.fields-missing'), message, hint, { suspects: ['statusForm'] });
  if (code === 'gateway.refused' && [400, 422].includes(httpStatus))
    return report(
      'warning',
      msg('connection.status.no-reason'),
      msg('connection.status.no-reason.text', { answer: message }),
      createLink,
    );
  const title = outcome.answer === null ? msg('connection.status.no-response') : msg('connection.status.bad');
  return report('bad', title, message, hint);
};

/** The step for the answer to the profile's own form (`first`), with further requests where it leaves a question. */
export const statusStep = async (
  facts: StatusFacts,
  profile: Profile,
  password: string,
): Promise<Finding> => {
  const { first, best, known } = facts;
  const { outcome } = first;
  if (best.form !== first.form) return otherForm(facts);
  if (outcome.kind === 'answered' && known === null)
    return report(
      'warning',
      msg('connection.status.unexpected'),
      msg('connection.status.unexpected.text'),
      msg('connection.status.unexpected.todo'),
      { suspects: ['baseUrl'] },
    );
  if (outcome.kind === 'answered' || searchedForPayment(outcome)) return searched(facts);
  if (isSignatureRefused(outcome)) return signatureRefused(facts, outcome.error.message, profile, password);
  return unusable(facts, outcome);
};
