import * as z from 'zod';
import { listColumns } from '../payments/list-columns.ts';
import { agentNameSchema } from './agent.ts';
import { customScriptsSchema } from './custom-scripts-schema.ts';
import { guideSchema } from './guide-schema.ts';
import { savedViewSchema } from './saved-view-schema.ts';
import { maxViews } from './saved-view.ts';

/** The settings of this PC that the window reads and changes. */

/** Local time, `22:30`. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast']),
  density: z.enum(['compact', 'regular', 'roomy']),
  /** BCP 47; `system` follows the operating system. */
  language: z.enum(['system', 'en', 'de']),
  /** After a verified sale + success, ask the gateway by itself. */
  confirmPaid: z.boolean(),
  /** Look payments up by itself whose story stands still. */
  lookUpMissing: z.boolean(),
  receiver: z.object({
    enabled: z.boolean(),
    host: z.string().min(1).max(255),
    port: z.int().min(0).max(65_535),
    /** Paths of two PEM files; null = no TLS. */
    tls: z.object({ certificate: z.string().max(4096), key: z.string().max(4096) }).nullable(),
    /** Unverified callbacks kept at most. */
    quarantine: z.int().min(100).max(1_000_000),
  }),
  /** Who is at the desk. */
  agent: agentNameSchema,
  activeProfileId: z.string(),
  /** Days until customer details are erased; 0 = kept. */
  retentionDays: z.int().min(0).max(3650),
  guide: guideSchema,
  /** The cards of waiting links at the foot of the window. */
  waitingRail: z.boolean(),
  /** Whether keys that are pressed alone (N, /, ?) act; Ctrl+K and the like always do (WCAG 2.1.4). */
  singleKeys: z.boolean(),
  /** An icon in the tray, and the count of what needs attention on it and on the dock. */
  tray: z.boolean(),
  /** With the window closed the desk goes on, as long as the tray can open it again. */
  stayOpen: z.boolean(),
  /** The console starts with the PC, in the tray where `stayOpen` is on. */
  startAtLogin: z.boolean(),
  /** Of the list of payments, in their order; null = as many as the window has room for. */
  columns: z
    .array(z.enum(listColumns))
    .min(1)
    .refine(columns => new Set(columns).size === columns.length, { error: 'each column once' })
    .nullable(),
  /** Views of the list that were saved, in the order of the rail. */
  views: z.array(savedViewSchema).max(maxViews),
  /** What is said of a state, where the merchant has words of their own; the rest is the catalogue's. */
  sentences: customScriptsSchema,
  notifications: z.object({
    enabled: z.boolean(),
    quietHours: z.object({ from: timeOfDay, until: timeOfDay }).nullable(),
  }),
});
export type Settings = z.infer<typeof settingsSchema>;
