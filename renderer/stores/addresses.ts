import { call, subscribe } from '../desk.ts';
import { useDesk } from './desk.ts';
import { go } from './route.ts';

/**
 * Opens the page of a payment that was asked for from outside, by its address. A locked desk is refused the
 * address, so it is asked for again once somebody is there.
 */
export const followAddresses = (): void => {
  const take = async (): Promise<void> => {
    const taken = await call('desk.takeAddress', {});
    if (taken.ok && taken.value.payment) go({ screen: 'payment', ...taken.value.payment });
  };
  subscribe('address.waits', () => void take());
  useDesk.subscribe((state, before) => {
    const isOpen = state.desk?.locked === false;
    if (isOpen && before.desk?.locked !== false) void take();
  });
};
