import { ok, type Result } from '../../../shared/errors.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/** How long a file or a note waits for the list. */
const wholeWithinMs = 10_000;

/** A file of a part of the payments would be taken for all of them: it waits for the whole list. Errors: `log.incomplete`. */
export const wholeList = async (log: Pick<PaymentLog, 'paymentList'>): Promise<Result<undefined>> =>
  log.paymentList?.whole(wholeWithinMs) ?? ok(undefined);
