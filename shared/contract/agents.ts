import * as z from 'zod';
import { agentNameSchema, agentSchema, pinSchema } from '../settings/agent.ts';
import { appStateSchema, lockSchema } from './app-state.ts';
import { defineRequest, profileId } from './define-request.ts';

/** Where an agent was when the console was locked. Only the same agent gets it back; kept only in main's memory. */
export const resumeSchema = z.object({
  /** The hash of the window's address. */
  address: z.string().max(4096),
  /** The form for a new payment as it was typed. */
  draft: z
    .object({
      profileId,
      idempotencyKey: z.uuid(),
      amount: z.string().max(40),
      currency: z.string().max(3),
      orderNumber: z.string().max(255),
      suggested: z.string().max(255),
      description: z.string().max(1024),
      customerName: z.string().max(255),
      customerEmail: z.string().max(255),
      methods: z.array(z.string()).max(20),
    })
    .nullable(),
});
export type Resume = z.infer<typeof resumeSchema>;

/** Requests about the people who sign in. */
export const agentRequests = {
  'agents.signIn': defineRequest(
    'Who is at the desk now; the PIN, if there is one, is asked for. `resume` is where they left, given once.',
    z.object({ id: z.uuid(), pin: pinSchema.nullable() }),
    z.object({ appState: appStateSchema, resume: resumeSchema.nullable() }),
  ),
  'agents.signOut': defineRequest(
    'Leave the desk: whoever has a PIN must enter it to come back, and the page is loaded anew, without anything it showed.',
    z.object({ resume: resumeSchema.nullable().default(null) }),
    lockSchema,
  ),
  'agents.save': defineRequest(
    'Add someone (id null), rename them, or set, change or remove (null) their PIN; the old PIN is asked for.',
    z.object({
      id: z.uuid().nullable(),
      name: agentNameSchema,
      pin: pinSchema.nullable().optional(),
      oldPin: pinSchema.nullable().default(null),
    }),
    agentSchema,
  ),
  'agents.remove': defineRequest(
    'Take someone off the list; what they did keeps their name.',
    z.object({ id: z.uuid(), pin: pinSchema.nullable() }),
    appStateSchema,
  ),
} as const;
