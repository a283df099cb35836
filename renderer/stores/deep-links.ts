import type { AskedPlace } from '../../shared/contract/index.ts';
import { call, subscribe } from '../ipc-client.ts';
import { useDesk } from './app-state.ts';
import { go } from './route.ts';

const goTo = (place: AskedPlace): void => {
  if (place.screen === 'payments') go({ ...place, words: '' });
  else go(place);
};

/**
 * Goes where one asked to go from outside: by an address, a notification, the tray. A locked desk is refused
 * the place, so it is asked for again once somebody is there.
 */
export const followPlaces = (): void => {
  const take = async (): Promise<void> => {
    const taken = await call('desk.takePlace', {});
    if (taken.ok && taken.value.place) goTo(taken.value.place);
  };
  subscribe('place.waits', () => void take());
  useDesk.subscribe((state, before) => {
    if (state.desk !== null && before.desk === null) void take();
  });
};
