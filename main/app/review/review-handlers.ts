import type { Handlers } from '../../../shared/contract/contract.ts';
import { hasRight } from '../../../shared/agents/roles.ts';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { rowOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { canBeReason, reconcile } from '../../../shared/reports/reconcile.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import { installationNamed } from '../common/installation-name.ts';
import { createEventHeader } from '../payments/event-header.ts';
import { cardNumberFailure } from '../payments/order-form.ts';
import type { AgentSession } from '../settings/agent-session.ts';

type Reviewed = { recorded: PaymentKey[]; changed: PaymentKey[] };

/** The requests that close, assign and postpone payments that need review. */
export const createReviewHandlers = (
  parts: Pick<AppDependencies, 'log' | 'requester' | 'clock' | 'team'>,
  { agents }: Pick<AgentSession, 'agents'>,
) => {
  const eventHeader = createEventHeader(parts);

  /** Records one event for each payment that `draftOf` accepts, all in one append. */
  const record = async <Key extends PaymentKey>(
    log: PaymentLog,
    payments: readonly Key[],
    draftOf: (key: Key, row: PaymentRow) => Promise<EventDraft | null> | EventDraft | null,
  ): Promise<Result<Reviewed>> => {
    const wanted = [...new Map(payments.map(key => [`${key.profileId} ${key.orderNumber}`, key])).values()];
    const drafts: EventDraft[] = [];
    const reviewed: Reviewed = { recorded: [], changed: [] };
    for (const key of wanted) {
      const { profileId, orderNumber } = key;
      const payment = await log.payment(profileId, orderNumber);
      const draft = payment && (await draftOf(key, rowOf(payment)));
      reviewed[draft ? 'recorded' : 'changed'].push({ profileId, orderNumber });
      if (draft) drafts.push(draft);
    }
    if (drafts.length === 0) return ok(reviewed);
    const written = await log.append(drafts);
    return written.ok ? ok(reviewed) : written;
  };

  const header = ({ profileId, orderNumber }: PaymentKey) => eventHeader(profileId, orderNumber, null);
  /** Whether the payment still needs review for what the person saw. */
  const isAsSeen = (row: PaymentRow, facts: string): boolean =>
    fingerprintOf(row) === facts && reconcile(row, parts.clock()).length > 0;

  return {
    'review.resolve': withPaymentLog(parts, async (log, { payments, reason, text }) => {
      if (containsCardNumber(text)) return cardNumberFailure('text');
      if (reason === 'other' && text === '')
        return fail('input.invalid', msg('review.reason.text-missing'), {
          fields: [{ path: 'text', message: msg('review.reason.text-missing') }],
        });
      return record(log, payments, (key, row) =>
        isAsSeen(row, key.facts) && canBeReason(reason, row)
          ? { ...header(key), kind: 'review.resolved', body: { reason, text, facts: key.facts } }
          : null,
      );
    }),
    'review.reopen': withPaymentLog(parts, async (log, { payments }) => {
      let elsewhere: string | null = null;
      const own = log.ownChain.writer;
      const reopened = await record(log, payments, async (key, row) => {
        if (!row.review?.resolved) return null;
        const { at, agent } = row.review.resolved;
        const events = await log.events(key.profileId, key.orderNumber);
        const resolutions = events.filter(({ kind }) => kind === 'review.resolved');
        // A resolution is reopened only in the chain that holds it.
        const holds = resolutions.find(one => one.happenedAt === at && one.agent === agent);
        if (holds && holds.writer !== own) {
          elsewhere = holds.writer;
          return null;
        }
        const ids = resolutions.filter(({ writer }) => writer === own).map(({ id }) => id);
        return { ...header(key), kind: 'review.reopened', body: { resolutions: ids } };
      });
      return elsewhere !== null && reopened.ok && reopened.value.recorded.length === 0
        ? fail(
            'input.invalid',
            msg('review.reopen.elsewhere', { installation: installationNamed(parts.team, elsewhere) }),
          )
        : reopened;
    }),
    'review.assign': withPaymentLog(parts, async (log, { payments, assignee }) => {
      const self = parts.requester.person();
      if (assignee !== null && !agents().some(({ name }) => name === assignee))
        return fail('input.invalid', msg('review.unknown-person', { name: assignee }));
      const mayTakeAway = !self || hasRight(self.role, 'review');
      return record(log, payments, (key, { review }) => {
        const before = review?.assignee ?? null;
        const isOthers = before !== null && before !== self?.name;
        if (before === assignee || (isOthers && !mayTakeAway)) return null;
        return { ...header(key), kind: 'review.assigned', body: { assignee } };
      });
    }),
    'review.snooze': withPaymentLog(parts, async (log, { payments, until }) => {
      if (until !== null && until <= parts.clock()) return fail('input.invalid', msg('review.snooze.past'));
      return record(log, payments, (key, row) =>
        isAsSeen(row, key.facts)
          ? { ...header(key), kind: 'review.snoozed', body: { until, facts: key.facts } }
          : null,
      );
    }),
  } satisfies Partial<Handlers>;
};
