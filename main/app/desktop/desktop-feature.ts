import type { PersonalAlerts } from '../alerts/personal-alerts.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import { createChangeBroadcaster } from './change-broadcaster.ts';
import { createDeepLinks } from './deep-links.ts';
import { createTrayAndNotifications } from './tray-and-badge.ts';
import { createWindowErrorHandlers } from './window-errors.ts';

/** What is shown outside the window, and what the window is sent after a change. `isLeft`: no person is signed in. */
export const createDesktopFeature = (
  parts: AppDependencies,
  events: AppEvents,
  isLeft: () => boolean,
  personal: PersonalAlerts,
) => {
  const deepLinks = createDeepLinks(() => parts.notify('navigation.pending', {}));
  const changes = createChangeBroadcaster(parts);
  const tray = createTrayAndNotifications(parts, deepLinks, isLeft, personal);
  events.on('eventsWritten', (payments, written) => {
    changes.onEventsWritten(payments, written);
    tray.onEventsWritten(payments, written);
  });
  events.on('eventsElsewhere', (payments, written) => {
    changes.onEventsWritten(payments, written);
    tray.refresh();
  });
  events.on('eventsElsewhereSorted', ({ ownPayments, own }) => tray.onEventsWritten(ownPayments, own));
  events.on('statePublished', () => tray.refresh());
  events.on('locked', () => tray.refresh());
  return {
    deepLinks,
    handlers: { ...deepLinks.handlers, ...createWindowErrorHandlers(parts) },
    start: () => tray.refresh(),
    stop: (): void => {
      changes.stop();
      tray.stop();
    },
  };
};
