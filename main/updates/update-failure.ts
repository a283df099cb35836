import { fail, type AppError } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { RefusalReason } from '../../shared/updates/refusal-reasons.ts';

/**
 * An offer that is not installed. `version`: the offered one; empty if the file must not be used. `signedAt`: when the
 * channel file was signed, if it is one that older files must not replace.
 */
export const refuseUpdate = (
  reason: RefusalReason,
  version: string,
  signedAt: number | null = null,
): { ok: false; error: AppError } =>
  fail('update.refused', msg(`update.refused.${reason}`, { version }), {
    hint: msg(`update.refused.${reason}.hint`),
    details: { reason, version, signedAt },
  });

/** `cause`: a code or a few English words, for IT. */
export const updateUnreachable = (cause: string): { ok: false; error: AppError } =>
  fail('update.unreachable', msg('error.update.unreachable'), {
    hint: msg('hint.update.unreachable'),
    details: { cause },
  });

/** `version` was to be installed when the console closed. `address`: where its package is, or its folder. */
export const updateFailed = (version: string, address: string): AppError => ({
  code: 'update.failed',
  message: msg('update.not-installed', { version }),
  hint: msg('update.not-installed.hint', { address }),
  details: { version, address },
});
