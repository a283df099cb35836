import * as z from 'zod';
import { lockReasons } from '../activity/activity.ts';
import { agentNameSchema, agentSchema, pinSchema, roleSchema } from '../agents/agent.ts';
import { appStateSchema, lockSchema } from './app-state.ts';
import { defineRequest } from './define-request.ts';

/** Where an agent was when the console was locked. Only the same agent gets it back; kept only in main's memory. */
export const resumeSchema = z.object({
  /** The hash of the window's address. */
  address: z.string().max(4096),
});
export type Resume = z.infer<typeof resumeSchema>;

/** Requests about the people who sign in. */
export const agentRequests = {
  'agents.signIn': defineRequest(
    'Sign in as an agent; requires the PIN if the agent has one. `resume` is where the agent left, returned once.',
    { right: 'everyone', effect: 'write', recorded: 'if-possible', whileLocked: true },
    z.object({ id: z.uuid(), pin: pinSchema.nullable() }),
    z.object({ appState: appStateSchema, resume: resumeSchema.nullable() }),
  ),
  'agents.signOut': defineRequest(
    'Lock the console: an agent with a PIN must enter it to come back, and the page is reloaded without its previous content.',
    { right: 'everyone', effect: 'write', recorded: 'if-possible', whileLocked: true },
    z.object({
      resume: resumeSchema.nullable().default(null),
      reason: z.enum(lockReasons).default('person'),
    }),
    lockSchema,
  ),
  'agents.save': defineRequest(
    'Add a person (id null), rename one, change their role, or set, change or remove (null) their PIN. Requires the PIN of the signed-in person; without one, that of the changed person.',
    {
      right: 'people',
      rightDependsOnInput: true,
      effect: 'write',
      recorded: 'required',
      fixedByPolicy: true,
    },
    z.object({
      id: z.uuid().nullable(),
      name: agentNameSchema,
      /** Absent: as before; a new person is an agent. */
      role: roleSchema.optional(),
      pin: pinSchema.nullable().optional(),
      oldPin: pinSchema.nullable().default(null),
    }),
    agentSchema,
  ),
  'agents.remove': defineRequest(
    'Remove a person from the team; records of their actions keep the name. Requires a PIN as `agents.save` does.',
    { right: 'people', effect: 'write', recorded: 'required', fixedByPolicy: true },
    z.object({ id: z.uuid(), pin: pinSchema.nullable() }),
    appStateSchema,
  ),
} as const;
