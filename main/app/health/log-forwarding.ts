import { resolve } from 'node:path';
import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import type { LogForwarding } from '../../../shared/settings/log-forwarding.ts';
import { createLogForwarder, type ForwardingState } from '../../app-log/log-forwarder.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';

export type ForwardingFacts = ForwardingState & { target: 'none' | 'file' | 'syslog' };

/** The copy of the application log, as the settings want it. */
export const createLogForwarding = (
  parts: AppDependencies,
  events: AppEvents,
  publish: () => Promise<AppState>,
) => {
  const { settings, appLog } = parts;
  const forwarder = createLogForwarder((problem, dropped) => {
    if (problem === null) appLog.write('info', 'background', 'The log is forwarded again.', { dropped });
    else appLog.write('warn', 'background', 'The log cannot be forwarded.', { problem, dropped });
  });
  appLog.onRecord(forwarder.send);

  const wanted = (): LogForwarding => {
    const { logForwarding } = settings.read().settings;
    const isOwn = logForwarding?.to === 'file' && resolve(logForwarding.file) === resolve(appLog.file);
    return isOwn ? null : logForwarding;
  };
  const apply = (): void => forwarder.setTarget(wanted());

  const handlers: Pick<Handlers, 'appLog.chooseForwardFile'> = {
    'appLog.chooseForwardFile': async () => {
      const chosen = await chooseSaveFile(parts, 'counterfoil.log');
      if (!chosen.ok) return chosen;
      const file = chosen.value;
      if (file !== null)
        settings.change(stored => ({
          ...stored,
          settings: { ...stored.settings, logForwarding: { to: 'file', file } },
        }));
      return ok(await publish());
    },
  };
  return {
    handlers,
    state: (): ForwardingFacts => ({ target: wanted()?.to ?? 'none', ...forwarder.state() }),
    needsSettings: true as const,
    start: (): void => {
      apply();
      events.on('statePublished', apply);
    },
    stop: forwarder.close,
  };
};
