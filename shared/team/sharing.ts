import * as z from 'zod';
import { agentSchema } from '../agents/agent.ts';

/** People and merchant profiles that the installations of a shared payment log have in common. */

/** What this installation has in common with the others now. */
export const sharingSchema = z.object({
  /** Whether its people are those of the team. */
  arePeopleShared: z.boolean(),
  /** Whether the saved views of everyone are those of the team. */
  areViewsShared: z.boolean(),
  /** Days after which the shared log erases personal data of all installations; null: never. */
  retentionDays: z.number().nullable(),
  /** The ids of the shared profiles. */
  profiles: z.array(z.string()),
  /** Whether local profiles still wait to be shared. */
  isPending: z.boolean(),
});
export type Sharing = z.infer<typeof sharingSchema>;

/** What the team has, and what of this installation it lacks. */
export const sharingPlanSchema = z.object({
  /** Whether the account of this installation may change people and profiles of the team. */
  mayChange: z.boolean(),
  /** The names of local profiles whose gateway account has no profile in the team. */
  profiles: z.array(z.string()),
  /** The people of the team. None: those of this installation become the team's. */
  people: z.array(agentSchema),
  /** People of this installation whose name the team does not have. */
  newPeople: z.array(agentSchema),
});
export type SharingPlan = z.infer<typeof sharingPlanSchema>;
