import * as z from 'zod';
import { appErrorSchema } from '../errors.schema.ts';
import type { AppError } from '../errors.ts';

/** The state of the shared payment log that this installation has joined, and of the events to ship. */

/** How much of the team's payment log this computer has, and how far it is behind. */

/**
 * Why an event is left out. `link`: it does not follow from the event before it. `personal`: its personal values are
 * not those of its digest. `form`: it has no form that this version knows. `size`: it is too large, or its order has
 * too many.
 */
export const leftOutProblems = ['link', 'personal', 'form', 'size'] as const;
export type LeftOutProblem = (typeof leftOutProblems)[number];

/** The events of an installation that are left out, by problem. */
export const leftOutSchema = z.object({
  writer: z.string(),
  problem: z.enum(leftOutProblems),
  events: z.int(),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

/** How much of the chains of other installations is here, events. */
export const copyProgressSchema = z.object({ done: z.int(), total: z.int() });
export type CopyProgress = z.infer<typeof copyProgressSchema>;

export const othersStandingSchema = z.object({
  isConnected: z.boolean(),
  /** Why it is not, or why nothing can be stored. */
  problem: appErrorSchema.nullable(),
  progress: copyProgressSchema,
  /** Everything that is in the shared log is here, but for what was written in the last seconds. */
  isLevel: z.boolean(),
  /** Up to when everything in the shared log is here, milliseconds; null: it never was. */
  levelAt: z.int().nullable(),
  leftOut: z.array(leftOutSchema),
});
export type OthersStanding = z.infer<typeof othersStandingSchema>;

/**
 * `catching-up`: connected, and events of this installation from before are not there yet. `refused`: the shared log
 * answers, but a person has to act; see `problem`.
 */
export const teamStates = ['connected', 'catching-up', 'unreachable', 'refused'] as const;
export type TeamState = (typeof teamStates)[number];

/** An installation that has written to the shared payment log, with its label there. */
export const installationSchema = z.object({ writer: z.string(), label: z.string(), kind: z.string() });
export type Installation = z.infer<typeof installationSchema>;

/** A console whose copy may still have customers that were erased: since then (milliseconds) it has confirmed nothing. */
export const unconfirmedListSchema = z.object({
  writer: z.string(),
  label: z.string(),
  since: z.int(),
});
export type UnconfirmedList = z.infer<typeof unconfirmedListSchema>;

/** Events of a chain that are gone from the shared log, or have changed there. */
export const brokenChainSchema = z.object({
  writer: z.string(),
  from: z.int(),
  to: z.int(),
  how: z.enum(['gone', 'rebuilt']),
});
export type BrokenChain = z.infer<typeof brokenChainSchema>;

/**
 * Whether this installation can only write again under a new name: another copy of it has written, or its chain belongs
 * to another account.
 */
export const needsNewChain = (problem: AppError | null): boolean =>
  problem !== null &&
  (problem.code === 'log.fork' || (problem.code === 'log.denied' && problem.details?.['cause'] === 'chain'));

export const teamStandingSchema = z.object({
  /** Host, port, database and schema. */
  server: z.string(),
  /** The account of this installation. */
  role: z.string(),
  state: z.enum(teamStates),
  /** When the state began, milliseconds. */
  since: z.int(),
  /** Events of this installation, and how many of them are not in the shared log. */
  events: z.int(),
  waiting: z.int(),
  /** When the oldest of those that wait was recorded, milliseconds. */
  oldestWaiting: z.int().nullable(),
  problem: appErrorSchema.nullable(),
  /** The name of this installation's chain. */
  writer: z.string(),
  /** Chains that differ from what this installation has seen in the shared log. */
  broken: z.array(brokenChainSchema),
  /** How far the clock of the server is ahead of this computer's; null until it was measured. */
  clockOffsetMs: z.int().nullable(),
  /** The payments of other installations on this computer; null until it can be read. */
  others: othersStandingSchema.nullable(),
  /** The installations known so far, including this one. */
  installations: z.array(installationSchema),
  /** Consoles that have not confirmed erasures for more than a day. */
  unconfirmed: z.array(unconfirmedListSchema),
});
export type TeamStanding = z.infer<typeof teamStandingSchema>;
