import * as z from 'zod';
import { maxSearchText } from '../max-search-text.ts';
import { lockReasons } from '../activity/activity.ts';
import { healthSchema } from '../health/health.ts';
import { appStateSchema, lockSchema } from './app-state.ts';
import { defineRequest, emptySchema, orderNumber, profileId } from './define-request.ts';

const navigationTargetSchema = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('payment'), profileId, orderNumber }),
  z.object({ screen: z.literal('payments'), words: z.string().max(maxSearchText).optional() }),
  z.object({ screen: z.literal('reconciliation') }),
  z.object({ screen: z.literal('new') }),
  z.object({ screen: z.literal('settings'), section: z.enum(['receiver', 'data']), id: z.null() }),
]);
export type NavigationTarget = z.infer<typeof navigationTargetSchema>;

/** Requests about the console itself, its health and its updates. */
export const appRequests = {
  'app.read': defineRequest(
    'Everything that the first screen needs; refused while the console is locked.',
    { right: 'everyone', effect: 'none', whileBlocked: true },
    emptySchema,
    appStateSchema,
  ),
  'app.lock': defineRequest(
    'Whether the console is locked, and the data of the lock screen: no payment, profile or address.',
    { right: 'everyone', effect: 'none', whileLocked: true, whileBlocked: true },
    emptySchema,
    lockSchema,
  ),
  'app.takePendingNavigation': defineRequest(
    'The pending navigation target from a deep link, a notification or the tray; returned once.',
    { right: 'everyone', effect: 'none', whileBlocked: true },
    emptySchema,
    z.object({ target: navigationTargetSchema.nullable() }),
  ),
  'app.reportError': defineRequest(
    'Write an error of the renderer to the application log; `reference` identifies the record, null if the limit was reached.',
    { right: 'everyone', effect: 'none', whileLocked: true, whileBlocked: true },
    z.object({
      kind: z.enum(['error', 'rejection', 'render']),
      name: z.string().max(100),
      message: z.string().max(2_000),
      stack: z.string().max(16_000).nullable(),
    }),
    z.object({ reference: z.string().nullable() }),
  ),
  'app.showLog': defineRequest(
    "Show the application log in the system's file manager.",
    { right: 'everyone', effect: 'none', whileBlocked: true },
    emptySchema,
    emptySchema,
  ),
  'health.read': defineRequest(
    'The health of this installation, check by check, with what to do; also printed by `counterfoil --status`.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    healthSchema,
  ),
  'updates.check': defineRequest(
    'Begin to ask the configured server for a new version; the state says when it is done.',
    { right: 'settings', effect: 'none' },
    emptySchema,
    appStateSchema,
  ),
  'updates.restart': defineRequest(
    'Close the console, install the new version and start it; `update.busy` while something is running.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    emptySchema,
  ),
} as const;

/** Events of this area. */
export const appEvents = {
  'app.changed': appStateSchema,
  'app.locked': lockSchema,
  /** The window shall lock itself now, as by its shortcut: a typed form is kept. */
  'app.lockRequested': z.object({ reason: z.enum(lockReasons) }),
  /** A navigation target is pending; the event does not name it, since the console may be locked. */
  'navigation.pending': emptySchema,
} as const;
