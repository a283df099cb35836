import type { ReplicaLimits } from '../../shared/administration/policy.ts';
import { ok, type Result } from '../../shared/errors.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../shared/payments/payment-key.ts';
import type { ReplicaStanding } from '../../shared/team/replica-standing.ts';
import { logFailure } from '../payment-log/log-failures.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { SharedLogSettings } from '../payment-log/postgres/connection-settings.ts';
import { openReplica, type Replica } from '../payment-log/replica/open-replica.ts';
import { deleteReplica } from '../payment-log/replica/replica-file.ts';

/** How long a replica may be without the erasures of the shared log, days, unless a policy says otherwise. */
const defaultAwayDays = 30;
const dayMs = 24 * 3_600_000;

/** Interval of asking whether a person is at the console. */
const attendMs = 5_000;
/** Interval of attempts to open it. */
const retryMs = 2_000;

/** A replica's file, beside the payment log of its installation. */
export const replicaFileOf = (logFile: string): string => `${logFile}.replica`;

/** The replica of an installation in a team, from the start on. */
export type TeamReplica = {
  /** Resolves when it is open. Errors: `log.*`. */
  current(): Promise<Result<Replica>>;
  /** Follows this shared log from now on. */
  connect(settings: SharedLogSettings): void;
  /** Null until it is open. */
  standing(): ReplicaStanding | null;
  correctClock(milliseconds: number): void;
  /** Deletes it, and fetches everything again; resolves when the own payments are there. Errors: `log.*`. */
  rebuild(): Promise<Result<undefined>>;
  close(): Promise<void>;
};

/** `onChange`: called with what other installations wrote; `payments` null: any payment may have changed. */
export const openTeamReplica = ({
  journal,
  limits: { months, maxAwayDays = defaultAwayDays } = {},
  timeoutMs,
  isAttended = () => true,
  onChange,
  onStanding,
}: {
  journal: PaymentLog;
  limits?: ReplicaLimits;
  timeoutMs?: number;
  /** Whether a person is at the console: others need what is new only within 5 seconds. */
  isAttended?: () => boolean;
  onChange: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void;
  onStanding?: (standing: ReplicaStanding) => void;
}): TeamReplica => {
  let settings: SharedLogSettings | null = null;
  let correctionMs = 0;
  let isClosed = false;
  let opened: Replica | null = null;
  let retry: NodeJS.Timeout | undefined;
  let wasAttended = isAttended();
  const attending = setInterval(() => {
    if (isAttended() === wasAttended) return;
    wasAttended = !wasAttended;
    opened?.attend(wasAttended);
  }, attendMs);
  attending.unref();

  const openLater = (): void => {
    retry = setTimeout(() => {
      opening = open();
    }, retryMs);
    retry.unref();
  };
  const open = async (): Promise<Result<Replica>> => {
    if (isClosed || !journal.files) return logFailure('log.unavailable');
    const file = journal.files.path;
    const replica = await openReplica({
      file: replicaFileOf(file),
      journal: { file, log: journal },
      maxAwayMs: maxAwayDays * dayMs,
      months: months ?? null,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onChange,
      ...(onStanding === undefined ? {} : { onStanding }),
    });
    if (!replica.ok) {
      // A full disk, for example.
      openLater();
      return replica;
    }
    const current = replica.value;
    opened = current;
    void current.ended.then(() => {
      if (opened !== current) return;
      opened = null;
      void current.close();
      openLater();
    });
    if (correctionMs !== 0) await current.correctClock(correctionMs);
    if (settings !== null) current.connect(settings);
    current.attend(wasAttended);
    onChange(null, []);
    return replica;
  };
  let opening = open();

  const end = async (): Promise<void> => {
    await opening;
    const ending = opened;
    opened = null;
    await ending?.close();
  };

  return {
    current: () => opening,
    connect: given => {
      settings = given;
      opened?.connect(given);
    },
    standing: () => opened?.standing() ?? null,
    correctClock: milliseconds => {
      correctionMs = milliseconds;
      void opened?.correctClock(milliseconds);
    },
    rebuild: async () => {
      const ended = end();
      opening = ended.then(() => {
        if (journal.files) deleteReplica(replicaFileOf(journal.files.path));
        return open();
      });
      const reopened = await opening;
      if (!reopened.ok) return reopened;
      await reopened.value.waitForAllOwn();
      return ok(undefined);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(attending);
      await end();
    },
  };
};
