import type { TeamStanding } from '../../../shared/team/team-standing.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import type { AppOptions } from '../app-context.ts';
import { openSharedLogLink, type SharedLogLink } from './shared-log-link.ts';

/** The keychain's account of the password of the shared log. */
export const sharedLogAccount = 'shared-log';
/** Interval at which progress and waiting events are sent to the window, milliseconds. */
const progressMs = 1_000;

/** The shared payment log of this installation, if it has joined one. */
export type Team = {
  /** Null: this installation works alone. */
  standing(): TeamStanding | null;
  /** The shared log, connected or not; null without one. */
  shared(): SharedLog | null;
  /** Call it with every opened journal; the cleanup is to be awaited before the journal is closed. */
  attach(journal: PaymentLog): () => Promise<void>;
  /** Applies changed settings. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Passes the journal's events on to the shared log while the settings name one. `onChange`: called when the standing's
 * state or problem has changed.
 */
export const createTeam = (
  {
    settings,
    credentials,
    sharedLogs,
    clock,
    notify,
    appLog,
  }: Pick<AppOptions, 'settings' | 'credentials' | 'sharedLogs' | 'clock' | 'notify' | 'appLog'>,
  onChange: () => void,
): Team => {
  let journal: PaymentLog | null = null;
  let link: SharedLogLink | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sent = '';
  let logged = '';

  const standing = (): TeamStanding | null => link?.standing() ?? null;
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
      const isUsable = now === null || now.state === 'connected' || now.state === 'catching-up';
      appLog.write(isUsable ? 'info' : 'warn', 'team', 'The standing to the shared payment log changed.', {
        state: now?.state ?? 'none',
        code: now?.problem?.code ?? null,
        cause: String(now?.problem?.details?.['cause'] ?? ''),
        waiting: now?.waiting ?? 0,
      });
    }
    send();
    onChange();
  };

  const start = (): void => {
    const { sharedLog } = settings.read();
    if (!journal || !sharedLog || settings.blocked) return;
    link = openSharedLogLink({
      journal,
      sharedLog,
      client: sharedLogs,
      readPassword: async () => {
        if (!sharedLog.hasPassword) return ok(null);
        const password = await credentials.password(sharedLogAccount);
        return password.ok || password.error.code !== 'profile.password-missing'
          ? password
          : fail('log.denied', msg('team.password.missing'), { hint: msg('team.password.missing.hint') });
      },
      clock,
      onChange: changed,
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

  return {
    standing,
    shared: () => link?.shared() ?? null,
    attach: opened => {
      journal = opened;
      start();
      return async () => {
        journal = null;
        await stop();
      };
    },
    restart: async () => {
      await stop();
      start();
      changed();
    },
    close: stop,
  };
};
