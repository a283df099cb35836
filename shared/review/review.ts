/** What people did about a payment that needs review. Without schemas, so that the window imports it cheaply. */

/** Why a payment needs no more work, in the order in which they are offered. */
export const resolutionReasons = [
  'confirmed-paid',
  'confirmed-not-paid',
  'settled-otherwise',
  'passed-on',
  'not-wanted',
  'nothing-to-do',
  'other',
] as const;
export type ResolutionReason = (typeof resolutionReasons)[number];

/** Limit of payments in one request. */
export const maxReviewed = 200;

/** Limit of the text of a resolution, characters. */
export const maxResolutionText = 500;

export type Resolution = {
  reason: ResolutionReason;
  /** For example a ticket number; empty if none was written. */
  text: string;
  /** Milliseconds. */
  at: number;
  agent: string;
};

export type Review = {
  /** The resolution of the payment's present facts; null while it is open. */
  resolved: Resolution | null;
  /** The name of a person; null = unassigned. */
  assignee: string | null;
  /** Hidden until this instant, milliseconds; null unless it was snoozed with its present facts. */
  snoozedUntil: number | null;
};

/** Whether a payment's review hides it from the queue at an instant, milliseconds. */
export const isSetAside = (review: Review | null, now: number): boolean =>
  review !== null && (review.resolved !== null || (review.snoozedUntil ?? 0) > now);

/** The lists of the review page: what needs action, parts of it, what is only informational, and what was set aside. */
export const reviewLists = ['all', 'mine', 'unassigned', 'information', 'snoozed', 'resolved'] as const;
export type ReviewList = (typeof reviewLists)[number];
