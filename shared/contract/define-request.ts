import * as z from 'zod';
import { isLocaleTag } from '../messages/language.ts';

/** The parts that every area of the contract uses. */

/** A request without input, or an answer without a value. */
export const emptySchema = z.object({});

export const profileId = z.string().min(1).max(64);

export const orderNumber = z.string().min(1).max(255);

/** BCP 47, as `Intl` takes it. */
export const localeTag = z.string().max(35).refine(isLocaleTag);

/** One request: a one-line description, and the schemas of its input and output. */
export const defineRequest = <I extends z.ZodType, O extends z.ZodType>(
  description: string,
  input: I,
  output: O,
) => ({
  description,
  input,
  output,
});
