import * as z from 'zod';
import { appErrorSchema } from '../errors.schema.ts';

/**
 * Why this installation cannot update itself. `no-key`: it was built without a key for updates. `not-installed`: it
 * does not run from a package. `package`: the system's package manager updates it.
 */
const updateObstacles = ['no-key', 'not-installed', 'package'] as const;
export type UpdateObstacle = (typeof updateObstacles)[number];

export const updateStateSchema = z.object({
  obstacle: z.enum(updateObstacles).nullable(),
  /** `ready`: it is installed when the console closes. */
  phase: z.enum(['idle', 'checking', 'ready']),
  /** The version that is ready. */
  version: z.string().nullable(),
  /** When the server last answered a check in full, milliseconds; null: not since the start. */
  checkedAt: z.int().nullable(),
  /** Why the last check failed, or its offer was refused. */
  problem: appErrorSchema.nullable(),
});
export type UpdateState = z.infer<typeof updateStateSchema>;
