import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Desk, Handlers, Notice, VerifyReport } from '../../shared/contract.ts';
import { fail, ok, type DeskError, type Result } from '../../shared/errors.ts';
import { toLogFailure } from '../log/failures.ts';
import { headFolder, readHeads } from '../log/head-files.ts';
import { copyFolder, listCopies, pruneCopies, putInPlace, setAside, todaysCopy } from '../log/log-files.ts';
import type { PaymentLog } from '../log/payment-log.ts';
import { verifyFile } from '../log/threads.ts';
import type { Heads } from './heads.ts';
import type { LogKeeper } from './log-keeper.ts';
import type { DeskParts } from './parts.ts';

type CareHandlers = Pick<
  Handlers,
  | 'log.verify'
  | 'log.tryAgain'
  | 'log.backUp'
  | 'log.copies'
  | 'log.checkCopy'
  | 'log.restore'
  | 'log.startNew'
  | 'log.erase'
>;

/** Milliseconds between two words on progress. */
const pace = 200;
const dayLong = 86_400_000;

/**
 * The care of the payment log: verifying, copying, restoring, erasing, and what is done once a day.
 * `changed` tells the window what the desk looks like now, and answers with it.
 */
export const logCare = (parts: DeskParts, keeper: LogKeeper, heads: Heads, changed: () => Promise<Desk>) => {
  const { logFile, settings, clock } = parts;
  const candidates = new Map<string, { file: string; mtimeMs: number; size: number }>();
  let checked: Desk['log']['checked'] = null;
  let dutyProblem: DeskError | null = null;
  let daysWork: Promise<void> | null = null;

  const progress = (job: Notice<'log.progress'>['job']) => {
    let last = 0;
    return (done: number, total: number): void => {
      const now = performance.now();
      if (now - last < pace && done < total) return;
      last = now;
      parts.notify('log.progress', { job, done, total });
    };
  };

  const verify = async (log: PaymentLog): Promise<VerifyReport> => {
    const report = await log.verify(progress('verify'));
    checked = { at: clock(), events: report.events, problems: report.problems.length };
    void changed();
    return report;
  };

  /** Each duty tried by itself: one that fails keeps none of the others from being done. */
  const daily = async (): Promise<void> => {
    const log = keeper.current();
    if (!log.ok) return;
    const { retentionDays } = settings.read().settings;
    const now = clock();
    const duties: (() => Promise<Result<unknown>>)[] = [
      async () =>
        retentionDays > 0
          ? log.value.erase({ reason: 'retention', agent: 'console', before: now - retentionDays * dayLong })
          : ok(undefined),
      () => heads.daily(log.value),
      async () => {
        const copy = todaysCopy(logFile, now);
        if (statSync(copy, { throwIfNoEntry: false }) || (await log.value.chainEnds()).length === 0)
          return ok(undefined);
        const copied = await log.value.copyTo(copy);
        if (copied.ok) pruneCopies(logFile, now);
        return copied;
      },
      async () => {
        if (checked === null || now - checked.at >= dayLong) await verify(log.value);
        return ok(undefined);
      },
    ];
    dutyProblem = null;
    for (const duty of duties) {
      const done = await duty().catch((thrown: unknown) => toLogFailure(thrown));
      if (done.ok) continue;
      dutyProblem ??= done.error;
      parts.diagnose(`daily duty failed: ${done.error.code}`);
    }
    await changed();
  };

  /** Another log, or the same one again: whatever the window shows of payments is to be read anew. */
  const replaced = (): Promise<Desk> => {
    checked = null;
    parts.notify('payments.changed', { payments: [] });
    return changed();
  };

  /** The events of the log in use; null when it cannot be read. */
  const inUse = async (): Promise<number | null> => {
    const log = keeper.current();
    if (!log.ok) return null;
    const ends = await log.value.chainEnds().catch(() => null);
    return ends && ends.reduce((sum, { seq }) => sum + seq, 0);
  };

  const handlers: CareHandlers = {
    'log.verify': async () => (parts.log.ok ? ok(await verify(parts.log.value)) : parts.log),
    'log.tryAgain': async () => {
      await keeper.whileClosed(() => undefined);
      return ok(await replaced());
    },
    'log.backUp': async () => {
      if (!parts.log.ok) return parts.log;
      const day = new Date(clock()).toISOString().slice(0, 10);
      const file = await parts.system.chooseSaveFile(`counterfoil-payments-${day}.db`);
      if (file === null) return ok({ file, bytes: 0 });
      if (file === logFile) return fail('file.unwritable', 'A copy cannot take the place of the log itself.');
      const copied = await parts.log.value.copyTo(file, progress('copy'));
      if (!copied.ok) return copied;
      const signed = await heads.signFile(parts.log.value, file);
      if (!signed.ok) parts.diagnose(`copy not signed: ${signed.error.code}`);
      return ok({ file, bytes: copied.value.bytes });
    },
    'log.copies': async () => ok({ folder: copyFolder(logFile), copies: listCopies(logFile) }),
    'log.checkCopy': async ({ name }) => {
      const known = listCopies(logFile).find(copy => copy.name === name);
      if (name !== null && !known) return fail('input.invalid', 'There is no daily copy of this name.');
      const file = known ? join(copyFolder(logFile), known.name) : await parts.system.chooseOpenFile();
      if (file === null) return ok({ candidate: null });
      const report = await verifyFile(file, { onProgress: progress('check') });
      if (!report.ok) return report;
      const { mtimeMs, size } = statSync(file);
      const token = randomUUID();
      candidates.set(token, { file, mtimeMs, size });
      return ok({
        candidate: {
          token,
          name: basename(file),
          bytes: size,
          report: report.value,
          inUse: await inUse(),
        },
      });
    },
    'log.restore': async ({ token }) => {
      const candidate = candidates.get(token);
      const stat = candidate && statSync(candidate.file, { throwIfNoEntry: false });
      if (!candidate || stat?.mtimeMs !== candidate.mtimeMs || stat.size !== candidate.size) {
        return fail('input.invalid', 'This copy was not checked, or it changed since.', {
          hint: 'Choose it once more.',
        });
      }
      // Heads of what came after the copy go with the log they speak of.
      const later = await verifyFile(candidate.file, { heads: readHeads(headFolder(logFile)) });
      if (!later.ok) return later;
      const names = new Set(
        later.value.problems
          .filter(({ kind, at }) => kind === 'head' && at.endsWith('.json'))
          .map(({ at }) => at),
      );
      const moved = await keeper.whileClosed((): Result<{ setAside: string }> => {
        try {
          const aside = setAside(logFile, [...names], clock());
          putInPlace(candidate.file, logFile);
          return ok({ setAside: aside });
        } catch (thrown) {
          return toLogFailure(thrown);
        }
      });
      candidates.delete(token);
      await replaced();
      return moved;
    },
    'log.startNew': async () => {
      if (keeper.trouble() === null) {
        return fail('input.invalid', 'The payment log works: there is no reason to begin another.');
      }
      const moved = await keeper.whileClosed((): Result<{ setAside: string }> => {
        try {
          return ok({
            setAside: setAside(
              logFile,
              readHeads(headFolder(logFile)).map(({ name }) => name),
              clock(),
            ),
          });
        } catch (thrown) {
          return toLogFailure(thrown);
        }
      });
      await replaced();
      return moved;
    },
    'log.erase': async ({ profileId, orderNumber }) => {
      if (!parts.log.ok) return parts.log;
      const { agent } = settings.read().settings;
      const erased = await parts.log.value.erase({ reason: 'request', agent, profileId, orderNumber });
      return erased.ok ? ok({}) : erased;
    },
  };

  return {
    handlers,
    /** What is done once a day: erasing what is old, the signed head, the copy, the verification. One run at a time. */
    daily: (): Promise<void> => {
      daysWork ??= daily().finally(() => {
        daysWork = null;
      });
      return daysWork;
    },
    state: (): Pick<Desk['log'], 'checked' | 'head' | 'dutyProblem'> => ({
      checked,
      head: heads.last(),
      dutyProblem,
    }),
  };
};
