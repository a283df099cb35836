import { scheduledExportSchema } from './scheduled-export.ts';
import * as z from 'zod';
import { exportFormats, orientations } from '../reports/export.ts';
import { listColumns } from '../payments/list-columns.ts';
import { agentNameSchema } from '../agents/agent.ts';
import { maxSentenceChars } from '../merchant-texts/custom-scripts.ts';
import { maxMessageChars, messageSlots } from '../merchant-texts/message-templates.ts';
import { paymentStates } from '../payments/payment-kinds.ts';
import { guideSteps, type Guide } from './guide.ts';
import { idleLockChoices } from './idle-lock.ts';
import { languages } from '../messages/message.ts';
import { maxRecheckDay, maxRecheckDays } from './recheck-days.ts';
import { updateServerSchema } from '../updates/update-server.ts';
import { maxViewNameChars, maxStoredViews, maxViewQueryChars, type SavedView } from './saved-view.ts';

/** The settings of this PC that the renderer reads and changes. */

export const recheckDaysSchema = z
  .array(z.int().min(1).max(maxRecheckDay))
  .max(maxRecheckDays)
  .refine(days => days.every((day, index) => index === 0 || day > (days[index - 1] ?? day)), {
    error: 'ascending, each day once',
  });

/** Local time, `22:30`. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

const sentences = z.partialRecord(z.enum(paymentStates), z.string().trim().min(1).max(maxSentenceChars));

/** The merchant's custom scripts by language; main validates their content when they change. */
const customScriptsSchema = z.object({ en: sentences, de: sentences });

const texts = z.partialRecord(z.enum(messageSlots), z.string().trim().min(1).max(maxMessageChars));

/** The merchant's messages by language; main validates their content when they change. */
const messageTemplatesSchema = z.object({ en: texts, de: texts });

const guideSchema = z.object({
  shown: z.enum(['new', 'open', 'closed']),
  skipped: z.array(z.enum(guideSteps)).max(guideSteps.length),
  checked: z.boolean(),
}) satisfies z.ZodType<Guide>;

const columnsSchema = z
  .array(z.enum(listColumns))
  .min(1)
  .max(listColumns.length)
  .refine(columns => new Set(columns).size === columns.length, { error: 'each column once' })
  .nullable();

export const savedViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(maxViewNameChars),
  words: z.string().trim().min(1).max(maxViewQueryChars),
  columns: columnsSchema.default(null),
  owner: z.uuid().nullable().default(null),
}) satisfies z.ZodType<SavedView>;

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast']),
  density: z.enum(['compact', 'regular', 'roomy']),
  /** BCP 47; `system` follows the operating system. */
  language: z.enum(['system', ...languages]),
  /** Look up automatically: what was reported as paid, open links without callbacks, expired links, missing results. */
  lookUpAutomatically: z.boolean(),
  /** Days after a payment at which paid is checked again, ascending; empty = never. */
  recheckPaidDays: recheckDaysSchema,
  receiver: z.object({
    enabled: z.boolean(),
    host: z.string().min(1).max(255),
    port: z.int().min(0).max(65_535),
    /** Paths of two PEM files; null = no TLS. */
    tls: z.object({ certificate: z.string().max(4096), key: z.string().max(4096) }).nullable(),
    /** Limit of stored unverified callbacks. */
    quarantine: z.int().min(100).max(1_000_000),
  }),
  /** The signed-in agent. */
  agent: agentNameSchema,
  activeProfileId: z.string(),
  /** Days until customer details are erased; 0 = never. */
  retentionDays: z.int().min(0).max(3650),
  guide: guideSchema,
  /** The cards of active links at the bottom of the window. */
  waitingRail: z.boolean(),
  /** Whether single keys (N, /, ?) are shortcuts; Ctrl+K and similar ones always are (WCAG 2.1.4). */
  singleKeys: z.boolean(),
  /** A tray icon, and a badge with the number of payments that need review on it and on the dock. */
  tray: z.boolean(),
  /** Keep running when the window is closed, if the tray can open it again. */
  stayOpen: z.boolean(),
  /** Start the console with the PC, in the tray if `stayOpen` is on. */
  startAtLogin: z.boolean(),
  /** Minutes without input after which the console locks; null = by default, see idle-lock.ts. */
  idleLock: z.literal(idleLockChoices).nullable(),
  /** Columns of the list of payments, in order; null = as many as the window has room for. */
  columns: columnsSchema,
  /** The last choices for an export: its format, its period (see periods.ts), and how a statement is turned. */
  export: z.object({
    format: z.enum(exportFormats),
    period: z.string().max(40),
    orientation: z.enum(orientations).default('portrait'),
  }),
  /** Saved views of the list, in the order of the rail. */
  views: z.array(savedViewSchema).max(maxStoredViews),
  /** The merchant's scripts by state; the catalogue provides the others. */
  sentences: customScriptsSchema,
  /** A sound when an open link is paid or declined. */
  outcomeSound: z.boolean(),
  /** The merchant's messages to customers; the catalogue provides the others. */
  messages: messageTemplatesSchema,
  /** Where new versions are fetched from; null = nowhere. */
  updateServer: updateServerSchema,
  /** The workbook that is written after each day or month; null = none. */
  scheduledExport: scheduledExportSchema,
  notifications: z.object({
    enabled: z.boolean(),
    /** For people who have not chosen their own. */
    quietHours: z.strictObject({ from: timeOfDay, until: timeOfDay }).nullable(),
    /** Whether a notification may contain the customer's name. */
    showDetails: z.boolean(),
  }),
});
export type Settings = z.infer<typeof settingsSchema>;
