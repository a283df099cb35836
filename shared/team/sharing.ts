import * as z from 'zod';
import { agentSchema } from '../agents/agent.ts';
import { profileKinds, profileSchema } from '../settings/profile.ts';

/** People and merchant profiles that the installations of a shared payment log have in common. */

/**
 * What becomes of a local profile: its payments belong to a shared profile from now on, or it becomes a shared one
 * itself, or it stays on this installation.
 */
export const profileMappingSchema = z.object({
  id: profileSchema.shape.id,
  to: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('existing'), id: profileSchema.shape.id }),
    z.object({ kind: z.literal('add') }),
    z.object({ kind: z.literal('stay') }),
  ]),
});
export type ProfileMapping = z.infer<typeof profileMappingSchema>;

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

const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(profileKinds),
  baseUrl: z.string(),
  merchantKey: z.string(),
});

/** What an installation can share with its team, with a proposal. */
export const sharingPlanSchema = z.object({
  /** Whether the account of this installation may change people and profiles of the team. */
  mayChange: z.boolean(),
  /** The shared profiles. */
  shared: z.array(accountSchema),
  /** The local profiles, and what is proposed for each. */
  profiles: z.array(z.object({ ...accountSchema.shape, to: profileMappingSchema.shape.to })),
  /** The people of the team. None: those of this installation become the team's. */
  people: z.array(agentSchema),
  /** People of this installation whose name the team does not have. */
  newPeople: z.array(agentSchema),
});
export type SharingPlan = z.infer<typeof sharingPlanSchema>;
