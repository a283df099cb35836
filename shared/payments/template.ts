import * as z from 'zod';

/** A template for a frequent charge of one profile: only the constant parts, never a customer's data. */
export const templateSchema = z.object({
  id: z.uuid(),
  profileId: z.string().min(1).max(64),
  name: z.string().trim().min(1).max(60),
  /** A decimal with the currency's own digits; null = typed each time. */
  amount: z
    .string()
    .regex(/^\d{1,18}(\.\d{1,4})?$/)
    .nullable(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  description: z.string().trim().max(1024),
  methods: z.array(z.string().trim().min(1).max(64)).max(20),
});
export type Template = z.infer<typeof templateSchema>;
