import { fail, type AppError } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { RefusalReason } from '../../shared/updates/refusal-reasons.ts';

/** An offer that is not installed. `version`: the offered one; empty if the file must not be used. */
export const refuseUpdate = (reason: RefusalReason, version: string): { ok: false; error: AppError } =>
  fail('update.refused', msg(`update.refused.${reason}`, { version }), {
    hint: msg(`update.refused.${reason}.hint`),
    details: { reason, version },
  });

/** `cause`: a code or a few English words, for IT. */
export const updateUnreachable = (cause: string): { ok: false; error: AppError } =>
  fail('update.unreachable', msg('error.update.unreachable'), {
    hint: msg('hint.update.unreachable'),
    details: { cause },
  });
