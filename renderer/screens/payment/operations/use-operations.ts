import { useEffect, useMemo } from 'react';
import { sameKey } from '../../../../shared/payments/payment-row.ts';
import type { OperationOffer } from '../../../../shared/contract/contract.ts';
import { operationKinds } from '../../../../shared/operations/operation-kinds.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { clockTime } from '../../../components/display/values.tsx';
import { dateFormat, useLocaleChoice, useText } from '../../../i18n/text.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { useOperation } from '../../../stores/payments/operation-store.ts';
import { cancelUntil, heldUntil, offeredActions, type OfferedAction } from './offered-actions.ts';

const minute = 60_000;
const nothing: { offer: OperationOffer | null; actions: readonly OfferedAction[] } = {
  offer: null,
  actions: [],
};

/** What is offered after this payment now: read again whenever its evidence changes and when an offer ends. */
export const useOperations = (payment: Payment): typeof nothing => {
  const { profileId, orderNumber } = payment;
  const { key, offer } = useOperation();
  const hasAny = useAppState(({ appState }) => {
    const operations = appState?.profiles.find(({ id }) => id === profileId)?.operations;
    return operations !== undefined && operationKinds.some(kind => operations[kind]);
  });
  const isRead = sameKey(key, { profileId, orderNumber });
  const actions = useMemo(() => (offer && isRead ? offeredActions(offer) : []), [offer, isRead]);
  const until = cancelUntil(actions);
  const isOver = useClock(({ wallClock }) => until !== null && wallClock >= until);
  useEffect(() => {
    if (hasAny) void useOperation.getState().readOffer(payment);
  }, [hasAny, payment]);
  useEffect(() => () => useOperation.getState().close(), []);
  useEffect(() => {
    if (isOver) void useOperation.getState().readOffer(payment);
  }, [isOver, payment]);
  return hasAny && isRead && offer ? { offer, actions } : nothing;
};

/** Until when a payment can be cancelled or an amount is held, in words. `hasOpen`: an operation has no result yet. */
export const useDeadlines = (
  { offer, actions }: ReturnType<typeof useOperations>,
  hasOpen: boolean,
): string[] => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / minute) * minute);
  const until = hasOpen ? null : cancelUntil(actions);
  const held = offer === null ? null : heldUntil(offer);
  return [
    // The last minute of the day, not the first of the next one.
    ...(until === null
      ? []
      : [t('operation.cancel-until', { time: clockTime(until - minute, locale, now) })]),
    ...(held === null
      ? []
      : [
          t('operation.held-until', {
            day: dateFormat(locale, { day: 'numeric', month: 'long' }).format(held),
          }),
        ]),
  ];
};
