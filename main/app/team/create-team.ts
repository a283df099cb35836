import { setTimeout as wait } from 'node:timers/promises';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { TeamStanding } from '../../../shared/team/team-standing.ts';
import { clockCorrection } from '../../../shared/team/clock-correction.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { logFailure } from '../../payment-log/log-failures.ts';
import type { SharedOperations } from '../../payment-log/postgres/shared-operations.ts';
import { claimSubjects } from '../../team/claims.ts';
import type { Team } from '../../team/team.ts';
import { followedLog } from './followed-log.ts';
import type { AppOptions } from '../common/app-context.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import { openSharedLogLink, type SharedLogLink } from './shared-log-link.ts';

/** The keychain's account of the password of the shared log. */
export const sharedLogAccount = 'shared-log';
/** Interval at which progress and waiting events are sent to the window. */
const progressMs = 1_000;
/** How long a person counts as being at this computer after the last input, seconds. */
const attendedForSeconds = 300;
/** How long the shared log may take to decide who sends an operation, milliseconds. */
const decisionMs = 5_000;

/**
 * Passes the journal's events on to the shared log while the settings name one. `onChange`: called when the standing's
 * state or problem has changed. `onElsewhere`: called with what other installations wrote; `payments` null: too many
 * to name. `onClockCorrected`: called with what is added to the clock, when that has changed.
 */
export const createTeam = (
  {
    settings,
    credentials,
    sharedLogs,
    clock,
    notify,
    appLog,
    logFile,
    heads,
    system,
  }: Pick<
    AppOptions,
    'settings' | 'credentials' | 'sharedLogs' | 'clock' | 'notify' | 'appLog' | 'logFile'
  > & {
    heads: Pick<HeadSigner, 'signSharedDaily'>;
    system: Pick<AppOptions['system'], 'idleSeconds'>;
  },
  onChange: () => void,
  onElsewhere: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void,
  onClockCorrected: (milliseconds: number) => void,
): Team => {
  let journal: PaymentLog | null = null;
  let link: SharedLogLink | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sent = '';
  let logged = '';
  /** As last measured; it stays without a connection. */
  let offsetMs: number | null = null;

  const standing = (): TeamStanding | null => link?.standing() ?? null;
  const isConnected = (): boolean => {
    const state = standing()?.state;
    return (link?.parts() ?? null) !== null && (state === 'connected' || state === 'catching-up');
  };
  const send = (): void => {
    const now = standing();
    const text = JSON.stringify(now);
    if (text === sent) return;
    sent = text;
    notify('team.changed', { standing: now });
  };
  const changed = (): void => {
    const now = standing();
    const text = `${now?.state ?? 'none'} ${now?.problem?.code ?? ''}`;
    if (text !== logged) {
      logged = text;
      appLog.write(
        now === null || isConnected() ? 'info' : 'warn',
        'team',
        'The standing to the shared payment log changed.',
        {
          state: now?.state ?? 'none',
          code: now?.problem?.code ?? null,
          cause: String(now?.problem?.details?.['cause'] ?? ''),
          waiting: now?.waiting ?? 0,
        },
      );
    }
    send();
    onChange();
  };

  const readPassword = async (): Promise<Result<string>> => {
    const password = await credentials.password(sharedLogAccount);
    return password.ok || password.error.code !== 'profile.password-missing'
      ? password
      : fail('log.denied', msg('team.password.missing'), { hint: msg('team.password.missing.hint') });
  };

  const start = (): void => {
    const { sharedLog } = settings.read();
    if (!journal || settings.blocked) return;
    const followed = followedLog(settings);
    if (!sharedLog || !followed) {
      void journal.paymentList?.follow(followed);
      return;
    }
    link = openSharedLogLink({
      journal,
      sharedLog,
      maxAwayMs: followed.maxAwayMs,
      isAttended: () => system.idleSeconds() < attendedForSeconds,
      client: sharedLogs,
      readPassword: async () => (sharedLog.hasPassword ? readPassword() : ok(null)),
      clock,
      signDaily: ends => void heads.signSharedDaily(sharedLog.logId, ends),
      witnessFile: `${logFile}.witness.json`,
      onClock: measured => {
        offsetMs = measured;
        void journal?.ownChain.correctClock(clockCorrection(measured));
        onClockCorrected(clockCorrection(measured));
        changed();
      },
      onChange: changed,
      onRestored: count =>
        appLog.write('warn', 'team', 'The payment log had lost its end, which was fetched back.', {
          events: count,
        }),
      onElsewhere,
    });
    timer = setInterval(send, progressMs);
    timer.unref();
    send();
  };
  const stop = async (): Promise<void> => {
    if (timer) clearInterval(timer);
    const ending = link;
    link = null;
    await ending?.close();
  };

  /** Asks the shared log, within a time limit; `alone`: the answer without one. */
  const decide = async <T>(
    alone: T,
    ask: (
      operations: SharedOperations,
      parts: NonNullable<ReturnType<SharedLogLink['parts']>>,
    ) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    if (link === null) return ok(alone);
    const parts = link.parts();
    if (!parts || !isConnected()) return logFailure('log.unreachable', 'not connected');
    return Promise.race([
      ask(parts.shared.operations, parts),
      wait(decisionMs, logFailure('log.unreachable', 'no answer'), { ref: false }),
    ]);
  };
  const end = async (id: string, isSent: boolean): Promise<void> => {
    await link?.parts()?.shared.operations.end(id, isSent);
  };

  return {
    standing,
    shared: () => link?.shared() ?? null,
    isConnected,
    isLevel: () => isConnected() && standing()?.others?.isLevel === true,
    begin: async claim => {
      const begun = await decide(null, (operations, parts) => claimSubjects(operations, parts, claim));
      if (!begun.ok || begun.value !== null) void end(claim.id, false);
      return begun;
    },
    end,
    spentElsewhere: of => decide(0n, operations => operations.spent(of)),
    claim: async (task, milliseconds) => {
      const parts = link?.parts();
      if (!parts || !isConnected()) return true;
      const claimed = await parts.shared.people.claim(task, parts.journal.ownChain.writer, milliseconds);
      return claimed.ok ? claimed.value : true;
    },
    log: opened => (opened.ok && opened.value === journal && link ? ok(link.log()) : opened),
    attach: opened => {
      journal = opened;
      if (offsetMs !== null) void opened.ownChain.correctClock(clockCorrection(offsetMs));
      start();
      return async () => {
        journal = null;
        await stop();
      };
    },
    restart: async () => {
      await stop();
      if (offsetMs !== null) void journal?.ownChain.correctClock(0);
      if (offsetMs !== null) onClockCorrected(0);
      offsetMs = null;
      start();
      changed();
    },
  };
};
