import { setTimeout as wait } from 'node:timers/promises';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { startShipping } from '../../main/team/ship.ts';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../shared/payments/payment-row.ts';
import { logFolder, timeoutMs, type LogFolder } from '../app-harness/running-payment-log.ts';
import { must, type Team } from './shared-log.ts';

/** How long a list may take to have everything by default. */
const levelWithinMs = 20_000;
const monthMs = 30 * 24 * 3_600_000;

/** An installation in a team. */
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** What an installation ships. */
export type Shipped = Awaited<ReturnType<typeof openShipping>>;

/**
 * Opens a journal and ships it to a team, without a list of payments unless `hasList`. `writer`: the name of its chain;
 * `settings`: of its account, a new one if absent.
 */
export const openShipping = async (
  team: Team,
  writer: string,
  { settings, ...options }: { settings?: SharedLogSettings } & Parameters<LogFolder['open']>[1] = {},
) => {
  const folder = logFolder();
  const account = settings ?? (await team.add('console', writer));
  const journal = await folder.open(writer, { hasList: false, ...options });
  const shared = team.open(account);
  const shipping = startShipping({ clock: Date.now, journal, shared });
  return {
    journal,
    folder,
    file: folder.file,
    account,
    shared,
    shipping,
    /** Appends events, and waits until they are shipped; returns the number of the last one. */
    write: async (...drafts: EventDraft[]): Promise<number> => {
      const last = must(await journal.append(drafts)).events.at(-1)?.writerSeq ?? 0;
      if (!(await shipping.shipped(last, levelWithinMs))) throw new Error(`event ${last} is not shipped`);
      return last;
    },
    remove: async (): Promise<void> => {
      await shipping.close();
      await folder.remove();
      await shared.close();
    },
  };
};

/**
 * Opens an installation whose list has the payments of all. `waitMs`: how long reads wait for own events; `onChange`:
 * called with what other installations wrote.
 */
export const openInstallation = async (
  team: Team,
  writer: string,
  {
    settings,
    waitMs = timeoutMs,
    onChange = () => undefined,
  }: {
    settings?: SharedLogSettings;
    waitMs?: number;
    onChange?: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void;
  } = {},
) => {
  const account = settings ?? (await team.add('console', writer));
  const followed = { logId: account.logId ?? 'shared', maxAwayMs: monthMs };
  const options = { hasList: true, timeoutMs: waitMs, followed };
  const opened = await openShipping(team, writer, { settings: account, ...options });
  const { journal: log, shared } = opened;
  const list = log.paymentList;
  if (!list) throw new Error('no list');
  list.onElsewhere(onChange);
  await list.follow(followed, account);
  return {
    ...opened,
    /** The same as `journal`: own events are written to it, and it lists those of all. */
    log,
    list,
    followed,
    /** Resolves when the list has everything that is in the shared log now; rejects after a limit, milliseconds. */
    level: async (withinMs: number = levelWithinMs): Promise<void> => {
      const ends = must(await shared.chainEnds());
      const wanted = ends.filter(end => end.writer !== writer).reduce((sum, { seq }) => sum + seq, 0);
      const isLevel = (): boolean => {
        const { others } = list.standing();
        return others !== null && others.isLevel && others.progress.done >= wanted;
      };
      for (const until = Date.now() + withinMs; !isLevel();) {
        if (Date.now() > until) throw new Error(`not level: ${JSON.stringify(list.standing())}`);
        await wait(5);
      }
    },
  };
};
