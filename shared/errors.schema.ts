import * as z from 'zod';
import { errorCodes, type AppError, type FieldProblem } from './errors.ts';
import { messageSchema } from './messages/message.schema.ts';

export const errorCodeSchema = z.enum(errorCodes);

export const fieldProblemSchema = z.object({
  path: z.string(),
  message: messageSchema,
}) satisfies z.ZodType<FieldProblem>;

export const appErrorSchema = z.object({
  code: errorCodeSchema,
  message: messageSchema,
  hint: messageSchema.optional(),
  fields: z.array(fieldProblemSchema).optional(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
}) satisfies z.ZodType<AppError>;
