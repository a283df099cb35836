import type { Result } from '../../../shared/errors.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/**
 * A handler that needs the payment log. While the log cannot be opened, it returns the error of opening it.
 * `parts`: read at each request, because the log may be replaced.
 */
export const withPaymentLog =
  <Input, Output>(
    parts: { readonly log: Result<PaymentLog> },
    handle: (log: PaymentLog, input: Input) => Promise<Result<Output>>,
  ) =>
  async (input: Input): Promise<Result<Output>> =>
    parts.log.ok ? handle(parts.log.value, input) : parts.log;
