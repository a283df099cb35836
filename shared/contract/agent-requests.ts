import * as z from 'zod';
import { activityGroupNames, lockReasons } from '../activity/activity.ts';
import { agentNameSchema, agentSchema, pinSchema, roleSchema } from '../agents/agent.ts';
import { appStateSchema, lockSchema } from './app-state.ts';
import { defineRequest } from './define-request.ts';
import { activityActionSchema, activityDetailsSchema } from '../activity/activity.schema.ts';

const activityFilterSchema = z.object({
  /** What this person did, and what others did about them; null = everyone. */
  person: z.string().max(80).nullable().default(null),
  group: z.enum(activityGroupNames).nullable().default(null),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;

const activityRowSchema = z.object({
  id: z.uuid(),
  at: z.int(),
  /** `console` if no person was signed in, such as for a wrong PIN at the lock screen. */
  agent: z.string(),
  action: activityActionSchema,
  details: activityDetailsSchema,
});
export type ActivityRow = z.infer<typeof activityRowSchema>;

const activityPageSchema = z.object({
  rows: z.array(activityRowSchema),
  /** The position of the next page; null if there is none. A page may hold fewer rows than requested. */
  earlier: z.string().nullable(),
});

/** Requests about the activity list: who signed in, exported, erased or changed something. */
export const activityRequests = {
  'activity.list': defineRequest(
    'One page of the activity list, newest first.',
    { right: 'activity', effect: 'none' },
    activityFilterSchema.extend({
      before: z.string().max(200).nullable().default(null),
      limit: z.int().min(1).max(200).default(100),
    }),
    activityPageSchema.extend({
      /** Activities that wait for the payment log; they are not in the list yet. */
      waiting: z.int(),
    }),
  ),
  'activity.export': defineRequest(
    'Export the activity list as CSV to a file that the user chooses; `file` is null if the user cancelled.',
    { right: 'activity', effect: 'export', recorded: 'required' },
    activityFilterSchema,
    z.object({ file: z.string().nullable(), written: z.int() }),
  ),
} as const;

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
