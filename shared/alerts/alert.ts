import type { Settings } from '../settings/settings.ts';

/** Kinds of alerts and what a person chooses about them. Without schemas, so that the window imports it cheaply. */

/** In the order in which they are offered. */
export const alertKinds = [
  'paid',
  'declined',
  'link-expiring',
  'callbacks-overdue',
  'receiver-unreachable',
  'export-failed',
  'assigned-to-me',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Where an alert is shown. `desktop`: in the window as well. */
export const alertPlaces = ['off', 'window', 'desktop'] as const;
export type AlertPlace = (typeof alertPlaces)[number];

/** Whose payments `paid` and `declined` are about. */
export const outcomeScopes = ['everybody', 'mine'] as const;

/** Choices for how long before its expiry a link is an alert, minutes. */
export const expiringChoices = [5, 10, 15, 30] as const;

/** Local time of a day: hours without desktop notifications. */
export type QuietHours = Settings['notifications']['quietHours'];

/** What one person chose. */
export type AlertChoices = {
  places: Record<AlertKind, AlertPlace>;
  outcomesOf: (typeof outcomeScopes)[number];
  expiringMinutes: (typeof expiringChoices)[number];
  /** `computer`: those of the settings. */
  quietHours: QuietHours | 'computer';
};

/** The choices of a person who has not chosen. */
export const defaultAlertChoices: AlertChoices = {
  places: {
    paid: 'desktop',
    declined: 'window',
    'link-expiring': 'window',
    'callbacks-overdue': 'window',
    'receiver-unreachable': 'desktop',
    'export-failed': 'desktop',
    'assigned-to-me': 'window',
  },
  outcomesOf: 'everybody',
  expiringMinutes: 10,
  quietHours: 'computer',
};

/**
 * Where a person sees that a payment was paid or declined. `createdBy`: who created its link; null if it was not
 * created here. `name`: the person.
 */
export const placeOfOutcome = (
  kind: 'paid' | 'declined',
  createdBy: string | null,
  name: string,
  choices: AlertChoices,
): AlertPlace => (choices.outcomesOf === 'mine' && createdBy !== name ? 'off' : choices.places[kind]);

/** Limit of alerts in the window. */
export const maxShownAlerts = 50;
