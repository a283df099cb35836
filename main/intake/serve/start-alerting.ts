import { createHash, createHmac } from 'node:crypto';
import { customerGraceMs } from '../../../shared/reports/reconcile.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import { startLoop } from '../../pacing/loop.ts';
import type { IntakeConfig } from '../config/intake-config.ts';
import type { IntakeHealth } from './intake-health.ts';
import type { IntakeLog } from './intake-log.ts';
import {
  alertRetryMs,
  maxMessageAgeMs,
  openAlertOutbox,
  type AlertMessage,
  type IntakeAlert,
} from './alert-outbox.ts';
import {
  gatherSuspects,
  healthAlerts,
  isRipe,
  lookedUpSince,
  outcomeAlerts,
  overdueAlert,
} from './find-intake-alerts.ts';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Messages about alerts over HTTP: without names and links. Their form is documented in docs/use/intake.md. */

/** Time limit of one attempt, milliseconds. */
export const webhookTimeoutMs = 10_000;

/** The body of a message. `sender`: this intake. */
export const webhookBody = ({ id, createdAt, alerts, more }: AlertMessage, sender: string): string =>
  JSON.stringify({
    version: 1,
    id,
    createdAt: new Date(createdAt).toISOString(),
    intake: sender,
    alerts: alerts.map(alert => ({
      id: alert.id,
      kind: alert.kind,
      at: new Date(alert.at).toISOString(),
      profile: alert.payment?.profileId ?? null,
      order: alert.payment?.orderNumber ?? null,
      ...(alert.amount === null ? {} : { amount: alert.amount, currency: alert.currency }),
    })),
    more,
  });

/** The header that proves who sent a body, and when (seconds since 1970). */
export const webhookSignature = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

/** Posts a body. Resolves to the status, and rejects without an answer in time. No redirect is followed. */
export const postWebhook = (
  url: string,
  body: string,
  signature: string,
  timeoutMs: number,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'counterfoil-signature': signature,
      },
      signal: AbortSignal.timeout(timeoutMs),
    };
    const sent = url.startsWith('http:')
      ? httpRequest(url, options)
      : // Not left to a variable of the environment that another program's set-up may have changed.
        httpsRequest(url, { ...options, rejectUnauthorized: true });
    sent.on('error', reject);
    sent.on('response', answer => {
      resolve(answer.statusCode ?? 0);
      // Its content does not matter, and may never end.
      answer.on('error', () => undefined);
      answer.destroy();
    });
    sent.end(body);
  });

/** Interval of the runs, milliseconds. */
const runMs = 1_000;
/** Interval of looking into the shared log and the health. */
const lookMs = 15_000;
/** How long a shared log keeps a claim, at most. An intake that then finds the same alert knows that it was claimed. */
const claimMs = 2 * 60_000;
/** Limit of suspects that are checked in one run. */
const maxChecked = 100;

/** The claim of an alert; a shared log refuses the id of a long order number. */
const taskOf = ({ id }: IntakeAlert): string => `alert:${createHash('sha256').update(id).digest('hex')}`;

/** Why there was no answer: of a time limit, its cause says more. */
const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.cause instanceof Error ? thrown.cause : thrown).message : 'unknown';

export type Alerting = ReturnType<typeof startAlerting>;

/**
 * Alerts people by a webhook. An event is in one message; what is found is on disk before it is sent, and a
 * message that was not accepted is sent again for a day, over a restart too.
 */
export const startAlerting = (given: {
  config: IntakeConfig['alerts'];
  state: string;
  /** The profiles of this intake. */
  profileIds: readonly string[];
  journal: PaymentLog;
  /** The number of its last event before this start: the first start alerts about what follows. */
  chainEnd: number;
  /** The shared log; null: the journal alone. */
  shared: Pick<SharedLog, 'chainEnds' | 'chainedEvents' | 'events' | 'people'> | null;
  health: () => Promise<IntakeHealth>;
  /** What signs the messages. */
  secret: () => string | null;
  log: IntakeLog;
  clock: () => number;
  /** Delays between attempts, and the time limit of one. */
  retryMs?: readonly number[];
  timeoutMs?: number;
}) => {
  const { config, journal, shared, log, clock } = given;
  const own = journal.ownChain.writer;
  const outbox = openAlertOutbox(
    given.state,
    thrown => reportFailure('background', 'Alerts cannot be written to the disk.', thrown),
    given.retryMs ?? alertRetryMs,
  );
  const isWanted = ({ kind }: IntakeAlert): boolean => config.kinds.includes(kind);
  const areOutcomesWanted = config.kinds.includes('paid') || config.kinds.includes('declined');
  const { positions } = outbox.read();
  if (areOutcomesWanted && positions[own] === undefined)
    outbox.add([], { positions: { ...positions, [own]: given.chainEnd } });
  /** When the next callback was first not accepted, milliseconds; null while it is. */
  let downSince: number | null = null;
  let lookedAt = 0;
  /** When the waiting alerts become a message, milliseconds; null if none waits. */
  let sealAt: number | null = outbox.read().waiting.length > 0 ? clock() : null;

  /** Adds the wanted alerts that this intake sends: of several intakes, one sends an alert about a payment. */
  const add = async (
    alerts: readonly IntakeAlert[],
    looked?: Parameters<typeof outbox.add>[1],
  ): Promise<void> => {
    const claimed: IntakeAlert[] = [];
    const others: IntakeAlert[] = [];
    for (const alert of alerts.filter(isWanted)) {
      // Too old: the kind was not wanted then, or the intake did not run.
      if (alert.payment !== null && alert.at < clock() - maxMessageAgeMs) continue;
      const claim =
        shared && alert.payment !== null ? await shared.people.claim(taskOf(alert), own, claimMs) : null;
      if (claim?.ok && !claim.value) others.push(alert);
      else claimed.push(config.showAmounts ? alert : { ...alert, amount: null, currency: null });
    }
    if (outbox.add(claimed, looked, others) > 0) sealAt ??= clock() + config.everySeconds * 1_000;
  };

  const findOutcomes = async (): Promise<void> => {
    const { positions } = outbox.read();
    const position = positions[own];
    if (!areOutcomesWanted || position === undefined) return;
    const found = await outcomeAlerts(journal, position);
    if (found) await add(found.alerts, { positions: { ...positions, ...found.positions } });
  };

  const findOverdue = async (): Promise<void> => {
    if (!shared || !config.kinds.includes('callbacks-overdue')) return;
    const { positions, suspects } = outbox.read();
    const looked = await lookedUpSince(shared, own, positions);
    if (!looked.ok) return;
    const known = looked.value.suspects.filter(({ profileId }) => given.profileIds.includes(profileId));
    const gathered = gatherSuspects(suspects, known);
    const ripe = gathered.filter(one => isRipe(one, clock())).slice(0, maxChecked);
    const checked = new Set<(typeof ripe)[number]>();
    const alerts: IntakeAlert[] = [];
    for (const suspect of ripe) {
      const events = await shared.events(suspect.profileId, suspect.orderNumber);
      if (!events.ok) break;
      const now = clock();
      try {
        const alert = overdueAlert(events.value, now);
        if (alert) alerts.push(alert);
        // A later status check may have begun the period in which a callback may still come.
        else if (overdueAlert(events.value, now + customerGraceMs)) continue;
      } catch (thrown) {
        // One payment that cannot be read keeps no alert about others back.
        reportFailure('background', 'A payment could not be read for alerts.', thrown);
      }
      checked.add(suspect);
    }
    const left = {
      positions: { ...outbox.read().positions, ...looked.value.positions },
      suspects: gathered.filter(one => !checked.has(one)),
    };
    await add(alerts, left);
  };

  const findHealth = async (): Promise<void> => {
    const health = await given.health();
    const now = clock();
    const isDown = !health.draining && (!health.listening || !health.journal.works);
    downSince = isDown ? (downSince ?? now) : null;
    await add(healthAlerts(health, downSince, now));
  };

  /** Returns whether the message was accepted. */
  const send = async (message: AlertMessage): Promise<boolean> => {
    const { webhook } = config;
    if (webhook === null) return false;
    const body = webhookBody(message, own);
    const signature = webhookSignature(given.secret() ?? '', body, Math.floor(clock() / 1_000));
    const failure = await postWebhook(webhook.url, body, signature, given.timeoutMs ?? webhookTimeoutMs).then(
      status => (status >= 200 && status <= 299 ? null : `status ${status}`),
      reasonOf,
    );
    if (failure === null) {
      outbox.accepted(message.id);
      log.info('Alerts were sent.', { alerts: message.alerts.length + message.more });
      return true;
    }
    log.warn('Alerts were not accepted.', { reason: failure, attempts: message.attempts + 1 });
    if (outbox.failed(message.id, clock()))
      log.error('Alerts were given up: they were not accepted for a day.', { alerts: message.alerts.length });
    return false;
  };

  /** The searches that failed last. */
  const failing = new Set<() => Promise<void>>();
  /** A journal that cannot be read is no reason not to alert about that. */
  const attempt = async (find: () => Promise<void>): Promise<void> => {
    try {
      await find();
      failing.delete(find);
    } catch (thrown) {
      failing.add(find);
      reportFailure('background', 'Alerts could not be found.', thrown);
    }
  };

  const round = async (isAll: boolean): Promise<void> => {
    await attempt(findOutcomes);
    if (isAll || clock() - lookedAt >= lookMs) {
      lookedAt = clock();
      await attempt(findHealth);
      await attempt(findOverdue);
    }
    if (sealAt !== null && (isAll || clock() >= sealAt)) {
      sealAt = null;
      outbox.seal(clock());
    }
    // One failure a round: a server that does not answer delays nothing that is found.
    for (const message of outbox.due(clock())) if (isClosed || !(await send(message))) break;
  };

  let isClosed = false;
  let isAll = false;
  const loop = startLoop(
    async () => {
      const all = isAll;
      isAll = false;
      await round(all);
    },
    { everyMs: runMs },
  );
  return {
    /** Whether the last search or sending failed, and how many messages wait. */
    state: (): { isFailing: boolean; waiting: number } => {
      const { messages } = outbox.read();
      return {
        isFailing: failing.size > 0 || messages.some(one => one.attempts > 0),
        waiting: messages.length,
      };
    },
    /** Finds and sends what is due, all of it now. */
    run: (): Promise<void> => {
      isAll = true;
      return loop.wake();
    },
    close: (): Promise<void> => {
      isClosed = true;
      return loop.close();
    },
  };
};
