import * as z from 'zod';
import { sandboxFaultSchema } from '../sandbox-faults.ts';
import { statementDialects } from '../sandbox-statements.ts';
import { defineRequest, emptySchema, orderNumber } from './define-request.ts';

/** Requests about the sandbox gateway. */
export const sandboxRequests = {
  'sandbox.faults': defineRequest(
    'Select the faults that the sandbox gateway simulates.',
    { right: 'links', effect: 'none' },
    z.object({ faults: z.array(sandboxFaultSchema).max(sandboxFaultSchema.options.length) }),
    emptySchema,
  ),
  'sandbox.resend': defineRequest(
    "Send an order's callbacks again, as the gateway's dashboard can (§6.2).",
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({ orderNumber }),
    z.object({ sent: z.int() }),
  ),
  'sandbox.writeStatement': defineRequest(
    'Write a statement of the sandbox’s payments of the last 45 days, with a difference of each kind, to a file that the user chooses; `file` is null if they cancelled.',
    { right: 'export', effect: 'export', recorded: 'required' },
    z.object({ dialect: z.enum(statementDialects) }),
    z.object({ file: z.string().nullable(), payments: z.int() }),
  ),
  'sandbox.openDashboard': defineRequest(
    "Open the sandbox's dashboard in the browser.",
    { right: 'links', effect: 'none' },
    emptySchema,
    emptySchema,
  ),
} as const;
