import * as z from 'zod';
import { maxShownAlerts } from '../alerts/alert.ts';
import { alertChoicesSchema, alertSchema } from '../alerts/alert.schema.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema } from './define-request.ts';

/** Requests about the alerts of the signed-in person. */
export const alertRequests = {
  'alerts.read': defineRequest(
    'The latest alerts of the signed-in person, newest first, and which of them they have seen.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    z.object({ alerts: z.array(alertSchema).max(maxShownAlerts) }),
  ),
  'alerts.markSeen': defineRequest(
    'Mark alerts as seen by the signed-in person.',
    { right: 'everyone', effect: 'write', recorded: 'no' },
    z.object({ ids: z.array(z.string().max(400)).max(maxShownAlerts) }),
    emptySchema,
  ),
  'alerts.choose': defineRequest(
    'Choose where the signed-in person sees each kind of alert, and their quiet hours, which a policy may fix.',
    { right: 'everyone', effect: 'write', recorded: 'no' },
    alertChoicesSchema,
    appStateSchema,
  ),
} as const;

/** Events of this area. */
export const alertEvents = {
  /** The alerts of the signed-in person may have changed. */
  'alerts.changed': emptySchema,
} as const;
