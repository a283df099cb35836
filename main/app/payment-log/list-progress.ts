import type { OwnList } from '../../../shared/payments/list-standing.ts';
import type { PaymentList, PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Interval at which the progress of a list that is being made is sent to the window. */
const sendMs = 1_000;

export const ownListOf = (list: Pick<PaymentList, 'standing'> | null): OwnList | null => {
  if (list === null) return null;
  const { progress, isWhole, remade } = list.standing();
  return { progress, isWhole, remade };
};

/** Sends to the window how far the list is, while it is made; returns its end. */
export const sendListProgress = (
  { paymentList }: Pick<PaymentLog, 'paymentList'>,
  { notify }: Pick<AppDependencies, 'notify'>,
): (() => void) => {
  let sent = '';
  let timer: NodeJS.Timeout | null = null;
  const send = (): void => {
    timer = null;
    const standing = ownListOf(paymentList);
    // Of a whole list the numbers say nothing.
    const text = standing?.isWhole ? JSON.stringify(standing.remade) : JSON.stringify(standing);
    if (text === sent) return;
    sent = text;
    notify('list.changed', { standing });
  };
  const stop = paymentList?.onStanding(() => {
    timer ??= setTimeout(send, sendMs);
    timer.unref();
  });
  return () => {
    if (timer) clearTimeout(timer);
    stop?.();
  };
};
