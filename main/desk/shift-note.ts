import type { Handlers } from '../../shared/contract.ts';
import { ok } from '../../shared/errors.ts';
import { stateAt, type PaymentRow } from '../../shared/payment.ts';
import { outcomeStates } from '../../shared/outcomes.ts';
import { isAtRest } from '../../shared/reconcile.ts';
import type { ShiftNote } from '../../shared/shift-note.ts';
import { coverPersonal } from './cover.ts';
import type { DeskParts } from './parts.ts';

/** Lines of each part: what fits on a few pages. */
const most = 100;

/** The call behind the note for the next shift: what is open, what waits for someone, what was written today. */
export const shiftNoteDesk = (parts: DeskParts): Pick<Handlers, 'payments.shiftNote'> => ({
  'payments.shiftNote': async ({ profileId, since }) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const madeAt = parts.clock();
    const brief = (row: PaymentRow): Pick<PaymentRow, 'orderNumber' | 'amount' | 'currency' | 'state'> => ({
      orderNumber: row.orderNumber,
      amount: row.amount,
      currency: row.currency,
      state: stateAt(row, madeAt),
    });
    const [counts, running, waiting, queue, written] = await Promise.all([
      log.counts(profileId),
      log.runningOut(profileId, most),
      log.list(
        {
          words: '',
          profileId,
          states: ['bank-check', 'processing'],
          currency: null,
          flags: [],
          raisedHere: null,
          agent: null,
          from: null,
          until: null,
        },
        null,
        most,
      ),
      log.reconcile(profileId, null, null, most),
      log.notesSince(profileId, since, most),
    ]);
    const notes: ShiftNote['notes'] = [];
    for (const { profileId: of, orderNumber, happenedAt, agent, body } of written.toReversed()) {
      const payment = orderNumber === null ? null : await log.payment(of, orderNumber);
      if (!payment) continue;
      const row = { ...payment, expiresAt: payment.link?.expiresAt ?? null };
      const names = [payment.customer?.name, payment.customer?.email].filter(name => name !== undefined);
      const text = coverPersonal(body.text, payment.orderNumber, names);
      notes.push({ ...brief(row), at: happenedAt, agent, text });
    }
    const calls = queue.rows.flatMap(row => {
      const [gravest] = row.findings;
      return gravest && !isAtRest(gravest.cause) ? [{ ...brief(row), ...gravest }] : [];
    });
    return ok({
      madeAt,
      madeBy: parts.settings.read().settings.agent,
      running: running.flatMap(row =>
        row.expiresAt === null ? [] : [{ ...brief(row), runsOutAt: row.expiresAt }],
      ),
      underWay: waiting.rows.map(row => ({ ...brief(row), since: row.since })),
      open: outcomeStates.open.reduce((sum, state) => sum + (counts.states[state] ?? 0), 0),
      attention: calls,
      moreAttention: queue.next !== null && calls.length === queue.rows.length,
      notes,
    });
  },
});
