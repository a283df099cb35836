import * as z from 'zod';
import type { Right } from '../agents/roles.ts';
import { isLocaleTag } from '../messages/message.ts';

/** The parts that every area of the contract uses. */

/** A request without input, or an answer without a value. */
export const emptySchema = z.object({});

export const profileId = z.string().min(1).max(64);

export const orderNumber = z.string().min(1).max(255);

/** BCP 47, as `Intl` takes it. */
export const localeTag = z.string().max(35).refine(isLocaleTag);

/**
 * Whether main records a request in the activity list. `required`: it is refused while nothing can be recorded.
 * `if-possible`: it must work even then, because it signs a person in or out, or mends the payment log.
 */
type Recorded = 'no' | 'required' | 'if-possible';

/** The rules of a request that main enforces before and after its handler; see main/app/requests/apply-rules.ts. */
export type RequestRules = {
  /** The right that the signed-in person needs. */
  right: Right | 'everyone';
  /** Some inputs need another right, or none; see rights.ts. */
  rightDependsOnInput?: true;
  /** Allowed while the console is locked: it neither acts nor returns payment data. */
  whileLocked?: true;
  /** Allowed while the settings cannot be used: then the window only shows the reason. */
  whileBlocked?: true;
  /** The policy of this computer may fix what it would change; see main/app/requests/apply-rules.ts. */
  fixedByPolicy?: true;
} & (
  | {
      /** `none`: changes nothing that is kept, so that an update may interrupt it. */
      effect: 'none';
      recorded?: Recorded;
    }
  | {
      /**
       * `write`: changes what is kept here, at the gateway or in the team. `job`: begins work that continues after the
       * answer. An update interrupts neither.
       */
      effect: 'write' | 'job';
      recorded: Recorded;
    }
  | {
      /** Writes a file for people. It is always recorded, and an update does not interrupt it. */
      effect: 'export';
      recorded: Exclude<Recorded, 'no'>;
    }
);

/** The names of all rules. */
type RuleName = RequestRules extends infer R ? (R extends RequestRules ? keyof R : never) : never;

/** One request: a one-line description, its rules, and the schemas of its input and output. */
export const defineRequest = <const R extends RequestRules, I extends z.ZodType, O extends z.ZodType>(
  description: string,
  /** A rule that does not exist does not compile. */
  rules: R & Record<Exclude<keyof R, RuleName>, never>,
  input: I,
  output: O,
): { description: string; rules: R; input: I; output: O } => ({
  description,
  rules,
  input,
  output,
});
