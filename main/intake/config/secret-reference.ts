import * as z from 'zod';

/** Where a secret is: never the secret. */
export const secretSchema = z.union(
  [
    z.strictObject({ file: z.string().min(1).max(1_024) }),
    z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/) }),
  ],
  { error: 'expected {"file": "…"} or {"env": "…"}' },
);
export type SecretReference = z.infer<typeof secretSchema>;
