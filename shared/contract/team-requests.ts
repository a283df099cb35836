import * as z from 'zod';
import { pinSchema } from '../agents/agent.ts';
import { joinStepSchema } from '../team/join-check.ts';
import { sharingPlanSchema } from '../team/sharing.ts';
import { teamStandingSchema } from '../team/team-standing.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema } from './define-request.ts';
import { verifyReportSchema } from './payment-log-requests.ts';

/** A joining text contains the password of the account, and is never returned. */
const joiningText = z.string().max(120_000);

/** Requests about the payment log that several installations share. */
export const teamRequests = {
  'team.check': defineRequest(
    'Check the server of a join code step by step; changes nothing.',
    { right: 'settings', effect: 'none' },
    z.object({ text: joiningText }),
    z.object({ server: z.string(), role: z.string(), steps: z.array(joinStepSchema), canJoin: z.boolean() }),
  ),
  'team.join': defineRequest(
    'Join the shared payment log of a join code: from now on, every event of this installation is sent.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    z.object({ text: joiningText }),
    appStateSchema,
  ),
  'team.plan': defineRequest(
    'The people of the team, and what of this installation the team lacks.',
    { right: 'settings', effect: 'none' },
    emptySchema,
    sharingPlanSchema,
  ),
  'team.share': defineRequest(
    'From now on, profiles and people are those of the team. `adding`: profiles and people of this installation are added to it, people confirmed by an administrator of the team if it has one.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    z.object({
      adding: z.object({ person: z.uuid().nullable(), pin: pinSchema.nullable() }).nullable(),
    }),
    appStateSchema,
  ),
  'team.verify': defineRequest(
    'Compare the chain of this installation with the shared payment log, verify the chains of all installations there, and rebuild the list of payments, comparing.',
    { right: 'log', effect: 'none' },
    emptySchema,
    z.object({ isComplete: z.boolean(), report: verifyReportSchema }),
  ),
  'team.beginChain': defineRequest(
    'Continue as a new installation after another copy of this one has written to the shared payment log (`log.fork`).',
    { right: 'settings', effect: 'write', recorded: 'required' },
    emptySchema,
    appStateSchema,
  ),
  'team.leave': defineRequest(
    'Leave the shared payment log: nothing more is passed on; what is there stays, and so does the payment log of this PC.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    emptySchema,
    appStateSchema,
  ),
} as const;

/** Events of this area. */
export const teamEvents = {
  'team.changed': z.object({ standing: teamStandingSchema.nullable() }),
} as const;
