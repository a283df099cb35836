import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../../shared/errors.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import { hasHeadOf, headFolder, writeDaysHead } from '../../payment-log/heads/head-files.ts';
import { newHeadKey, signHead } from '../../payment-log/heads/signed-head.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { startLoop } from '../../pacing/loop.ts';
import type { IntakeConfig } from '../config/intake-config.ts';
import type { IntakeLog } from './intake-log.ts';
import type { IntakeMetrics } from './metrics.ts';

/** What an intake does beside its callbacks: probe a failed journal, count in the log, erase, sign and verify. */

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Interval of the attempts to write a journal that failed. */
const probeMs = 2_000;
/** Delay of the first daily run; then it is checked every hour what is due. */
const firstDailyMs = 30_000;
const dailyCheckMs = 3_600_000;

/** The key that signs this intake's heads, created at first use; readable by its user only. */
const signingKey = (state: string): string => {
  const file = join(state, 'signing-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const key = newHeadKey();
  writeFileAtomicSync(file, `${key}\n`);
  return key;
};

export const startDuties = (given: {
  config: Pick<IntakeConfig, 'state' | 'retentionDays'>;
  logFile: string;
  journal: PaymentLog;
  /** Whether the last write of the journal failed. */
  hasFailed: () => boolean;
  log: IntakeLog;
  metrics: Pick<IntakeMetrics, 'takeCounts'>;
  clock: () => number;
}) => {
  const { config, journal, log, clock } = given;
  let verification: { at: number; problems: number } | null = null;

  const probe = async (): Promise<void> => {
    // An append of no events writes the end of the chain: it succeeds once the disk can be written again.
    if (given.hasFailed()) await journal.append([]);
  };
  const writeCounts = (): void => {
    const counts = given.metrics.takeCounts();
    if (Object.values(counts).some(count => count > 0)) log.info('Callbacks of the last minute.', counts);
  };

  const duties: readonly (readonly [string, () => Promise<Result<unknown>>])[] = [
    [
      'erase',
      async () =>
        config.retentionDays === null
          ? ok(undefined)
          : journal.erase({
              reason: 'retention',
              agent: 'console',
              before: clock() - config.retentionDays * dayMs,
            }),
    ],
    [
      'sign',
      async () => {
        const folder = headFolder(given.logFile);
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const ends = await journal.chainEnds();
        if (!hasHeadOf(folder, clock()) && ends.some(({ seq }) => seq > 0))
          writeDaysHead(folder, signHead(signingKey(config.state), clock(), ends));
        return ok(undefined);
      },
    ],
    [
      'verify',
      async () => {
        if (verification !== null && clock() - verification.at < dayMs) return ok(undefined);
        const { problems, events } = await journal.verify();
        verification = { at: clock(), problems: problems.length };
        if (problems.length === 0) log.info('The journal was verified.', { events });
        else log.error('The journal was changed after it was written.', { problems: problems.length });
        return ok(undefined);
      },
    ],
  ];
  /** Each duty runs independently: a failed one does not prevent the others. */
  const runAll = async (): Promise<void> => {
    for (const [duty, run] of duties)
      try {
        const done = await run();
        if (!done.ok) log.error('A daily duty failed.', { duty, code: done.error.code });
      } catch (thrown) {
        reportFailure('background', `The daily duty "${duty}" failed.`, thrown);
      }
  };
  const dailyLoop = startLoop(runAll, { everyMs: dailyCheckMs, firstMs: firstDailyMs });
  const loops = [
    dailyLoop,
    startLoop(probe, { everyMs: probeMs }),
    startLoop(writeCounts, { everyMs: minuteMs }),
  ];
  return {
    /** Runs the daily duties that are due. */
    daily: dailyLoop.wake,
    /** The last verification of this run. */
    verification: () => verification,
    stop: (): void => {
      for (const loop of loops) void loop.close();
      writeCounts();
    },
  };
};
