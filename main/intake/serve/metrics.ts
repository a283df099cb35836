import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RefusalReason } from '../../../shared/callbacks/receiver-health.ts';
import type { Verification } from '../../../shared/payments/evidence.ts';
import { isReachable } from '../../team/ship.ts';
import type { IntakeHealth } from './intake-health.ts';

/** The metrics of an intake, in Prometheus' text format. Labels are ids of the configuration, never of a payment. */

/** Where a callback was kept when it was answered; `refused`: answered 503. */
export type KeptIn = 'shared' | 'journal' | 'refused';

export type IntakeMetrics = ReturnType<typeof createMetrics>;

/** Buckets of durations, seconds. */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.25, 2.5, 5];

/** `health`: read at each scrape. */
export const createMetrics = (health: () => Promise<IntakeHealth>) => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Counter({
    name: 'counterfoil_callbacks_total',
    help: 'Callbacks that were answered, by where they were kept at that time.',
    labelNames: ['profile', 'verdict', 'kept'],
    registers,
  });
  const refusals = new Counter({
    name: 'counterfoil_refused_total',
    help: 'Deliveries that were refused, by the reason.',
    labelNames: ['reason'],
    registers,
  });
  const answerSeconds = new Histogram({
    name: 'counterfoil_answer_seconds',
    help: 'Time from the arrival of a callback to its answer.',
    buckets,
    registers,
  });
  const commitSeconds = new Histogram({
    name: 'counterfoil_commit_seconds',
    help: 'Time of a commit in the journal.',
    buckets,
    registers,
  });
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const gauges: readonly [Gauge, (now: IntakeHealth) => number | null][] = [
    [gauge('counterfoil_ready', '1 if the next callback would be answered 200.'), one => Number(one.ready)],
    [gauge('counterfoil_journal_up', '1 if the journal can be written.'), one => Number(one.journal.works)],
    [gauge('counterfoil_journal_events', "Events of this intake's chain."), one => one.journal.events],
    [
      gauge('counterfoil_shared_up', '1 if the shared log is reachable; absent without one.'),
      one => one.shared && Number(isReachable(one.shared)),
    ],
    [
      gauge('counterfoil_waiting_events', 'Events that are not in the shared log yet.'),
      one => one.shared && one.shared.waitingEvents,
    ],
    [
      gauge('counterfoil_waiting_oldest_seconds', 'Age of the first of them.'),
      one => one.shared && one.shared.oldestWaitingSeconds,
    ],
    [
      gauge('counterfoil_keeper', '1 if this intake is the keeper of the shared log; absent without one.'),
      one => one.shared && Number(one.shared.keeper === 'active'),
    ],
    [
      gauge('counterfoil_keeper_failing', '1 if the last round of the keeper failed.'),
      one => one.shared && Number(one.shared.keeper === 'failing'),
    ],
    [
      gauge('counterfoil_other_servers', 'Shared profiles that name another server than the configuration.'),
      one => one.otherServers && one.otherServers.length,
    ],
    [
      gauge('counterfoil_alerts_failing', '1 if alerts cannot be found or sent; absent without a webhook.'),
      one => one.alerts && Number(one.alerts.isFailing),
    ],
    [
      gauge('counterfoil_quarantine_callbacks', 'Unverified callbacks that were admitted.'),
      one => one.quarantine.callbacks,
    ],
    [
      gauge('counterfoil_broken_chains', '1 if the last verification of the journal found a problem.'),
      one => one.verification && Number(one.verification.problems > 0),
    ],
    [gauge('counterfoil_free_bytes', "Free space of the journal's disk."), one => one.freeBytes],
    [
      gauge('counterfoil_certificate_expiry_seconds', 'When the certificate expires, seconds since 1970.'),
      one => (one.certificateUntil === null ? null : Date.parse(one.certificateUntil) / 1_000),
    ],
  ];
  let counts = { shared: 0, journal: 0, refused: 0, unverified: 0 };

  return {
    /** Counts an answered callback. `milliseconds`: from its arrival. */
    countAnswer: (
      profile: string,
      verdict: Verification['verdict'],
      kept: KeptIn,
      milliseconds: number,
    ): void => {
      answers.inc({ profile, verdict, kept });
      answerSeconds.observe(milliseconds / 1_000);
      counts[kept] += 1;
      if (verdict !== 'verified') counts.unverified += 1;
    },
    /** Counts a delivery that was refused. */
    countRefusal: (reason: RefusalReason): void => refusals.inc({ reason }),
    /** `milliseconds` of a commit in the journal. */
    countCommit: (milliseconds: number): void => commitSeconds.observe(milliseconds / 1_000),
    /** The counts since the last call, for the log. */
    takeCounts: (): Record<KeptIn | 'unverified', number> => {
      const taken = counts;
      counts = { shared: 0, journal: 0, refused: 0, unverified: 0 };
      return taken;
    },
    text: async (): Promise<{ type: string; body: string }> => {
      const now = await health();
      for (const [metric, read] of gauges) {
        const value = read(now);
        if (value === null) metric.remove();
        else metric.set(value);
      }
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
};
