import * as z from 'zod';
import { columnRoles, dateOrders, numberForms } from './statement-kinds.ts';

/** What a person decided about a sender's files: what the columns contain, by heading, and how they are written. */
export const mappingSchema = z.strictObject({
  /** By heading as the file has it, or by number (`#1`) where it has none; what is not named stays as proposed. */
  columns: z.record(z.string().max(200), z.enum(columnRoles)).default({}),
  numbers: z.enum(numberForms).optional(),
  dates: z.enum(dateOrders).optional(),
});
export type Mapping = z.infer<typeof mappingSchema>;
