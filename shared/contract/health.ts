import { appStateSchema } from './app-state.ts';
import { healthSchema } from '../health/health.ts';
import { defineRequest, emptySchema } from './define-request.ts';

/** Requests about the health of this installation. */
export const healthRequests = {
  'health.read': defineRequest(
    'The health of this installation, check by check, with what to do; also printed by `counterfoil --status`.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    healthSchema,
  ),
  'appLog.chooseForwardFile': defineRequest(
    'Copy the application log to a file that the user chooses; unchanged if they cancelled.',
    { right: 'settings', effect: 'write', recorded: 'required', fixedByPolicy: true },
    emptySchema,
    appStateSchema,
  ),
} as const;
