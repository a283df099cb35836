import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { LogForwarding } from '../../../shared/settings/log-forwarding.ts';

/**
 * Whether the renderer may change the setting in this way. A path comes only from `appLog.chooseForwardFile` or the
 * policy: one from the renderer could make main write or read any file. Errors: `input.invalid`.
 */
export const checkForwardingChange = (before: LogForwarding, next: LogForwarding): Result<undefined> => {
  const isAllowed =
    next === null ||
    (next.to === 'file'
      ? before?.to === 'file' && before.file === next.file
      : next.ca === null || (before?.to === 'syslog' && before.ca === next.ca));
  return isAllowed ? ok(undefined) : fail('input.invalid', msg('log-forwarding.path'));
};
