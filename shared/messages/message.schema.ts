import * as z from 'zod';
import type { Message, MessageKey } from './message.ts';

/** A message between processes. The key is not compared with the catalogue: both sides are built together. */
export const messageSchema: z.ZodType<Message> = z.object({
  key: z.string().transform(key => key as MessageKey),
  get values() {
    return z.record(z.string(), z.union([z.string(), z.number(), messageSchema])).optional();
  },
});
