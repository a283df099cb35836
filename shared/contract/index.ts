import * as z from 'zod';
import { partBytes } from '../callbacks/callback-file.ts';
import {
  customerSchema,
  eventSchema,
  shareChannelSchema,
  callbackFormSchema,
  lookUpKeySchema,
} from '../payments/evidence.ts';
import { agentNameSchema, agentSchema, pinSchema } from '../settings/agent.ts';
import { appErrorSchema, errorCodeSchema, type Result } from '../errors.ts';
import { maxPerJob } from '../payments/bulk-look-up.ts';
import { lookUpOutcomeSchema, bulkLookUpSchema } from '../payments/bulk-look-up-schema.ts';
import { guideSchema } from '../settings/guide-schema.ts';
import { credentialHealthSchema } from '../settings/credential-health.ts';
import { fileInspectionSchema, fileRowSchema, fileShowSchema } from '../callbacks/file-inspection.ts';
import { isLocaleTag } from '../settings/language.ts';
import { inspectionSchema } from '../callbacks/inspection.ts';
import { listColumns } from '../payments/list-columns.ts';
import { overviewSchema } from '../reports/overview.ts';
import { customScriptsSchema } from '../settings/custom-scripts-schema.ts';
import { paymentRowSchema, paymentSchema, paymentStates, flagKinds } from '../payments/payment.ts';
import { profileDraftSchema, profileViewSchema } from '../settings/profile.ts';
import {
  reconciliationCauseSchema,
  reconciliationCountSchema,
  reconciliationRowSchema,
} from '../reports/reconcile-schemas.ts';
import { maxViews } from '../settings/saved-view.ts';
import { savedViewSchema } from '../settings/saved-view-schema.ts';
import { settingsRecoverySchema } from '../settings/settings-recovery.ts';
import { handoverNoteSchema } from '../reports/handover-note.ts';
import { templateSchema } from '../payments/template.ts';

/**
 * The contract between the processes: every call and every event, once.
 * The preload's allow-list, main's handlers, the renderer's client and the
 * table in docs/build/contract.md all come from here.
 */

const emptySchema = z.object({});
const profileId = z.string().min(1).max(64);
/** BCP 47, as `Intl` takes it. */
const localeTag = z
  .string()
  .max(35)
  .refine(isLocaleTag, { error: 'This is not a language tag, such as en-GB or de.' });
const orderNumber = z.string().min(1).max(255);

/** The payment as the renderer opens it, with its evidence: tokens and hashes masked. */
/** A payment with one page of its evidence: long values are cut, `earlier` leads to the page before. */
const paymentDetailSchema = z.object({
  payment: paymentSchema,
  events: z.array(eventSchema),
  earlier: z.int().nullable(),
});
export type PaymentDetail = z.infer<typeof paymentDetailSchema>;

const certificateSchema = z.object({
  /** Common names. */
  name: z.string(),
  issuer: z.string(),
  /** The names and addresses it is for, as the certificate lists them. */
  names: z.string(),
  validTo: z.int(),
});
export type CertificateFacts = z.infer<typeof certificateSchema>;

const healthSchema = z.object({
  listening: z.boolean(),
  /** Addresses to enter in the gateway's dashboard, by profile; each holds a long random path. */
  addresses: z.array(z.object({ profileId: z.string(), url: z.string() })),
  lastAt: z.int().nullable(),
  received: z.int(),
  unverified: z.int(),
  /** Milliseconds, median and 99th percentile of recent answers. */
  answerMs: z.object({ median: z.number(), p99: z.number() }).nullable(),
  problem: appErrorSchema.nullable(),
  /** What the merchant's door shows its callers; null without TLS. */
  certificate: certificateSchema.nullable(),
  /** Unverified callbacks let in since someone made room (null: ever), and how many were refused in this run. */
  quarantine: z.object({
    callbacks: z.int(),
    maxCallbacks: z.int(),
    bytes: z.int(),
    maxBytes: z.int(),
    full: z.boolean(),
    refused: z.int(),
    since: z.int(),
    by: z.string().nullable(),
  }),
});
export type ReceiverHealth = z.infer<typeof healthSchema>;

const navigationTargetSchema = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('payment'), profileId, orderNumber }),
  z.object({ screen: z.literal('payments'), view: z.enum(['all', 'attention']) }),
  z.object({ screen: z.literal('new') }),
]);
export type NavigationTarget = z.infer<typeof navigationTargetSchema>;

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

const faultNames = [
  'delay',
  'drop',
  'http-400',
  'http-500',
  'garbage',
  'other-shape',
  'redirect',
  'plain-http-link',
  'callback-late',
  'callback-twice',
  'callback-out-of-order',
  'callback-wrong-signature',
  'callback-none',
] as const;
export const sandboxFaultSchema = z.enum(faultNames);
export type SandboxFault = z.infer<typeof sandboxFaultSchema>;
export const sandboxFaults: readonly SandboxFault[] = faultNames;

export const appStateSchema = z.object({
  version: z.string(),
  /** `electron 45.4.1`, or whatever host runs the bundles. */
  host: z.string(),
  /** The system's language, BCP 47. */
  systemLocale: z.string(),
  /** Whether this system can start the console at login. */
  canStartAtLogin: z.boolean(),
  settings: settingsSchema,
  profiles: z.array(profileViewSchema),
  agents: z.array(agentSchema),
  /** Who of them is at the desk. */
  agentId: z.string(),
  receiver: healthSchema,
  settingsFile: z.object({
    /** Why nothing can be done (`settings.newer`, `settings.unreadable`), or changes are not on disk (`settings.unwritable`). */
    problem: appErrorSchema.nullable(),
    /** What a start could not read, until it is dismissed. */
    recovery: settingsRecoverySchema.nullable(),
  }),
  sandbox: z.object({ listening: z.boolean(), baseUrl: z.string(), faults: z.array(sandboxFaultSchema) }),
  log: z.object({
    file: z.string(),
    payments: z.int(),
    /** Why it cannot be opened or written now. */
    problem: appErrorSchema.nullable(),
    /** What the last verification of this run found. */
    checked: z
      .object({
        at: z.int(),
        events: z.int(),
        problems: z.int(),
        /** Whether all problems are in the list, which `log.rebuild` makes again from the evidence. */
        isRepairable: z.boolean(),
      })
      .nullable(),
    /** When the last event was recorded, in milliseconds, if that is over an hour ahead of the clock. */
    recordedAhead: z.int().nullable(),
    /** The last signed head: when, and the name of its key. */
    head: z.object({ at: z.int(), key: z.string() }).nullable(),
    /** Why the last daily duty (head, copy, erasure, verification) could not be done. */
    dailyTaskProblem: appErrorSchema.nullable(),
  }),
});
export type AppState = z.infer<typeof appStateSchema>;

/** All that the window knows while the desk is locked: who can sign in, and how the lock screen is drawn. */
export const lockSchema = z.strictObject({
  /** Whether somebody has to enter a PIN before anything is shown or done. */
  locked: z.boolean(),
  agents: z.array(agentSchema),
  /** Who was signed in last. */
  agentId: z.string(),
  systemLocale: z.string(),
  settings: settingsSchema.pick({ theme: true, density: true, language: true }),
});
export type Lock = z.infer<typeof lockSchema>;

/** Where somebody was when they locked the desk, given back to them alone; kept in main's memory only. */
export const resumeSchema = z.object({
  /** The hash of the window's address. */
  address: z.string().max(4096),
  /** The form for a new payment as it was typed. */
  draft: z
    .object({
      profileId,
      idempotencyKey: z.uuid(),
      amount: z.string().max(40),
      currency: z.string().max(3),
      orderNumber: z.string().max(255),
      suggested: z.string().max(255),
      description: z.string().max(1024),
      customerName: z.string().max(255),
      customerEmail: z.string().max(255),
      methods: z.array(z.string()).max(20),
    })
    .nullable(),
});
export type Resume = z.infer<typeof resumeSchema>;

export const paymentFilterSchema = z.object({
  /** Free words: order number, payment id, name, e-mail, amount, last four digits, RRN, approval code, text. */
  words: z.string().max(200).default(''),
  profileId: z.string().nullable().default(null),
  states: z.array(z.enum(paymentStates)).default([]),
  currency: z.string().nullable().default(null),
  flags: z.array(z.enum(flagKinds)).default([]),
  /** Whether it was raised at this desk. */
  raisedHere: z.boolean().nullable().default(null),
  /** Who raised it, by name, whatever its case. */
  agent: z.string().max(80).nullable().default(null),
  /** Milliseconds, half-open, on when the payment was first heard of. */
  from: z.int().nullable().default(null),
  until: z.int().nullable().default(null),
});
export type PaymentFilter = z.infer<typeof paymentFilterSchema>;

const pageSchema = z.object({ rows: z.array(paymentRowSchema), next: z.string().nullable() });
export type PaymentPage = z.infer<typeof pageSchema>;

const reconciliationPageSchema = z.object({
  rows: z.array(reconciliationRowSchema),
  /** A page may hold fewer rows than asked for while this still leads on. */
  next: z.string().nullable(),
  /** By cause, gravest first, each payment under its gravest; with the first page alone. */
  counts: z.array(reconciliationCountSchema).nullable(),
});
export type ReconciliationPage = z.infer<typeof reconciliationPageSchema>;

export const newPaymentSchema = z.object({
  profileId,
  /** Given by the form when it is opened: the same intent sent twice makes one request. */
  idempotencyKey: z.uuid(),
  /** As typed, read by the locale's rules; main turns it into minor units and the wire form. */
  amount: z.string().max(40),
  currency: z.string().max(3),
  orderNumber: z.string().max(255),
  description: z.string().max(1024),
  methods: z.array(z.string()).max(20).default([]),
  customer: customerSchema.nullable().default(null),
  locale: localeTag,
  /** A second link for an order that has one: only after an explicit yes. */
  allowDuplicate: z.boolean().default(false),
});
export type NewPayment = z.infer<typeof newPaymentSchema>;

const checkStepSchema = z.object({
  step: z.enum(['address', 'name', 'connect', 'tls', 'proxy', 'clock', 'status']),
  outcome: z.enum(['good', 'warning', 'bad', 'skipped']),
  title: z.string(),
  meaning: z.string(),
  todo: z.string().nullable(),
});
export type CheckStep = z.infer<typeof checkStepSchema>;

const dryRunSchema = z.object({
  name: z.enum(['session', 'status-by-payment', 'status-by-order', 'callback']),
  /** Null for what the gateway sends us. */
  method: z.enum(['GET', 'HEAD', 'POST']).nullable(),
  address: z.string().nullable(),
  /** The exact bytes, the hash masked. */
  body: z.string().nullable(),
  /** The exact string that is hashed, the password masked. */
  signed: z.string(),
  documented: z.boolean(),
  section: z.string(),
});
export type DryRun = z.infer<typeof dryRunSchema>;

const verifyReportSchema = z.object({
  events: z.int(),
  payments: z.int(),
  problems: z.array(
    z.object({
      kind: z.enum(['chain', 'projection', 'head', 'schema']),
      at: z.string(),
      message: z.string(),
    }),
  ),
});
export type VerifyReport = z.infer<typeof verifyReportSchema>;

const copySchema = z.object({ name: z.string(), at: z.int(), bytes: z.int() });

/** A copy of the log that was checked and may take the log's place. */
const candidateSchema = z.object({
  /** Names it in `log.restore`; good until the console closes. */
  token: z.string(),
  name: z.string(),
  bytes: z.int(),
  report: verifyReportSchema,
  /** How many events the log in use holds; null when it cannot be read. */
  inUse: z.int().nullable(),
});
export type RestoreCandidate = z.infer<typeof candidateSchema>;

const defineRequest = <I extends z.ZodType, O extends z.ZodType>(
  description: string,
  input: I,
  output: O,
) => ({
  description,
  input,
  output,
});

export const ipcRequests = {
  'app.read': defineRequest(
    'Everything the window needs to draw its first screen; refused while the desk is locked.',
    emptySchema,
    appStateSchema,
  ),
  'app.lock': defineRequest(
    'Whether the desk is locked, and what the lock screen needs: nothing of a payment, a profile or an address.',
    emptySchema,
    lockSchema,
  ),
  'app.takePendingNavigation': defineRequest(
    'The place somebody asked for from outside (an address, a notification, the tray); it is given once.',
    emptySchema,
    z.object({ target: navigationTargetSchema.nullable() }),
  ),
  'settings.change': defineRequest(
    'Change some settings; the rest stay. Who is at the desk is chosen by `agents.signIn`.',
    settingsSchema
      .omit({ agent: true })
      .partial()
      .extend({
        /** The address at which the person agreed to open the receiver to other computers. */
        confirmedHost: z.string().max(255).optional(),
      }),
    appStateSchema,
  ),
  'app.reportError': defineRequest(
    'Write an error of the window to the application log; `reference` names it there, or is null when too many came.',
    z.object({
      kind: z.enum(['error', 'rejection', 'render']),
      name: z.string().max(100),
      message: z.string().max(2_000),
      stack: z.string().max(16_000).nullable(),
    }),
    z.object({ reference: z.string().nullable() }),
  ),
  'app.showLog': defineRequest(
    "Show the application log in the system's file manager.",
    emptySchema,
    emptySchema,
  ),
  'settings.dismissRecovery': defineRequest(
    'Somebody has read what the last start could not read of the settings.',
    emptySchema,
    appStateSchema,
  ),
  'agents.signIn': defineRequest(
    'Who is at the desk now; the PIN, if there is one, is asked for. `resume` is where they left, given once.',
    z.object({ id: z.uuid(), pin: pinSchema.nullable() }),
    z.object({ appState: appStateSchema, resume: resumeSchema.nullable() }),
  ),
  'agents.signOut': defineRequest(
    'Leave the desk: whoever has a PIN must enter it to come back, and the page is loaded anew, without anything it showed.',
    z.object({ resume: resumeSchema.nullable().default(null) }),
    lockSchema,
  ),
  'agents.save': defineRequest(
    'Add someone (id null), rename them, or set, change or remove (null) their PIN; the old PIN is asked for.',
    z.object({
      id: z.uuid().nullable(),
      name: agentNameSchema,
      pin: pinSchema.nullable().optional(),
      oldPin: pinSchema.nullable().default(null),
    }),
    agentSchema,
  ),
  'agents.remove': defineRequest(
    'Take someone off the list; what they did keeps their name.',
    z.object({ id: z.uuid(), pin: pinSchema.nullable() }),
    appStateSchema,
  ),
  'profiles.save': defineRequest(
    'Add a profile (id null) or change one; the password, if given, goes to the keychain and never comes back.',
    z.object({
      id: profileId.nullable(),
      profile: profileDraftSchema,
      password: z.string().min(1).max(1024).nullable(),
      /** Keep the password in memory only, when there is no keychain. */
      thisRunOnly: z.boolean().default(false),
    }),
    profileViewSchema,
  ),
  'profiles.remove': defineRequest(
    'Remove a profile and its password; its payments stay.',
    z.object({ id: profileId }),
    emptySchema,
  ),
  'profiles.dryRun': defineRequest(
    'What a profile would send for a sample order, and what each hash is made of; sends nothing.',
    z.object({ profile: profileDraftSchema }),
    z.object({ requests: z.array(dryRunSchema) }),
  ),
  'profiles.check': defineRequest(
    'Connection check: each step with what it means and what to do.',
    z.object({ id: profileId }),
    z.object({ steps: z.array(checkStepSchema) }),
  ),
  'profiles.health': defineRequest(
    "How a profile's credentials fare: last good and last failed call, by the log and this run's connection checks.",
    z.object({ id: profileId }),
    credentialHealthSchema,
  ),
  'payments.create': defineRequest(
    'Write the request down, send it, write the outcome down (§4.1).',
    newPaymentSchema,
    paymentDetailSchema,
  ),
  'payments.suggestOrder': defineRequest(
    "An unused order number from the profile's pattern.",
    z.object({ profileId }),
    z.object({ orderNumber: z.string() }),
  ),
  'payments.list': defineRequest(
    'One page, newest first.',
    z.object({
      filter: paymentFilterSchema,
      cursor: z.string().nullable().default(null),
      limit: z.int().min(1).max(200).default(50),
    }),
    pageSchema,
  ),
  'payments.count': defineRequest(
    'How many payments a filter lets through; what cannot be told at a glance is counted to 999 (`more`: there are more).',
    z.object({ filter: paymentFilterSchema }),
    z.object({ count: z.int(), more: z.boolean() }),
  ),
  'payments.counts': defineRequest(
    'How many payments stand in each state, and how many there are in each currency.',
    z.object({ profileId: z.string().nullable().default(null) }),
    z.object({
      states: z.record(z.string(), z.int()),
      currencies: z.record(z.string(), z.int()),
      flagged: z.int(),
    }),
  ),
  'payments.overview': defineRequest(
    'Links raised in a span of time and what became of them: by currency, day and agent.',
    z.object({
      profileId: z.string().nullable().default(null),
      /** Milliseconds, half-open, at most 400 days; cut into the days of `timeZone` (IANA). */
      from: z.int(),
      until: z.int(),
      timeZone: z.string().min(1).max(64),
    }),
    overviewSchema,
  ),
  'payments.handoverNote': defineRequest(
    'What the next shift has to know: open, waiting for someone, noted; nothing personal and no links.',
    z.object({
      profileId: z.string().nullable().default(null),
      /** Notes since this instant, milliseconds. */
      since: z.int(),
    }),
    handoverNoteSchema,
  ),
  'payments.read': defineRequest(
    'One payment with its latest evidence, or, from `earlier` of the page before, with evidence written before it.',
    z.object({ profileId, orderNumber, before: z.int().nullable().default(null) }),
    paymentDetailSchema,
  ),
  'payments.lookUp': defineRequest(
    'Ask the gateway (§4.2) and keep the answer as evidence.',
    z.object({
      profileId,
      // No longer than an id can be: what is asked for is hashed with the merchant password.
      key: z.discriminatedUnion('by', [
        z.object({ by: z.literal('payment-id'), value: z.string().max(64) }),
        z.object({ by: z.literal('order-number'), value: orderNumber }),
      ]),
      /** Names it for `payments.cancelWait`. */
      requestId: z.uuid().default(() => crypto.randomUUID()),
    }),
    z.object({ event: eventSchema, file: paymentDetailSchema.nullable() }),
  ),
  'payments.cancelWait': defineRequest(
    'Stop waiting: for a creation, by its intent (it may have arrived: its outcome is unknown), for a look-up or an export, by its request.',
    z.object({ requestId: z.uuid() }),
    z.object({
      /** False when it was over already. */
      stopped: z.boolean(),
    }),
  ),
  'lookUps.inquiries': defineRequest(
    'The latest look-ups that found no payment, newest first.',
    z.object({ profileId }),
    z.object({
      inquiries: z.array(
        z.object({
          id: z.string(),
          at: z.int(),
          agent: z.string(),
          asked: lookUpKeySchema,
          /** Why there was no answer; null when one came that named no payment. */
          problem: z.object({ code: errorCodeSchema, message: z.string() }).nullable(),
          statuses: z.array(z.string()),
        }),
      ),
    }),
  ),
  'lookUps.start': defineRequest(
    'Look many payments up, a few at a time, each answer kept as evidence; refused while a round is under way.',
    z.object({ payments: z.array(z.object({ profileId, orderNumber })).min(1).max(maxPerJob) }),
    z.object({ round: bulkLookUpSchema }),
  ),
  'lookUps.control': defineRequest(
    'Pause the round, go on, stop it, or forget it once it is over.',
    z.object({ to: z.enum(['pause', 'go-on', 'stop', 'forget']) }),
    z.object({ round: bulkLookUpSchema.nullable() }),
  ),
  'lookUps.read': defineRequest(
    'The round under way or just over.',
    emptySchema,
    z.object({ round: bulkLookUpSchema.nullable() }),
  ),
  'lookUps.payments': defineRequest(
    'The payments of the round with one outcome as they stand now, and why look-ups failed.',
    z.object({ outcome: lookUpOutcomeSchema }),
    z.object({
      rows: z.array(paymentRowSchema),
      failures: z.array(z.object({ code: errorCodeSchema, count: z.int() })),
    }),
  ),
  'payments.shareLink': defineRequest(
    'Pass the link on: record how, and do it (copy, open, mail, SMS, WhatsApp).',
    z.object({ profileId, orderNumber, channel: shareChannelSchema }),
    emptySchema,
  ),
  'payments.note': defineRequest(
    'Add a note.',
    z.object({ profileId, orderNumber, text: z.string().trim().min(1).max(4000) }),
    emptySchema,
  ),
  'payments.export': defineRequest(
    'Write payments to a file the person chooses, whole or not at all; `file` is null when they chose none. `export.progress` tells how far it is.',
    z.object({
      filter: paymentFilterSchema,
      /** These alone, whatever the filter; null = all that the filter lets through. */
      payments: z.array(z.object({ profileId, orderNumber })).min(1).max(maxPerJob).nullable().default(null),
      format: z.enum(['csv', 'jsonl', 'xlsx']),
      /** Names it for `payments.cancelWait`. */
      requestId: z.uuid().default(() => crypto.randomUUID()),
    }),
    z.object({
      file: z.string().nullable(),
      written: z.int(),
      /** Whether a signed head of the log lies beside it. */
      signed: z.boolean(),
    }),
  ),
  'payments.reconcile': defineRequest(
    'Payments whose story is incomplete or contradictory, gravest cause first, each with its causes and next action.',
    z.object({
      profileId: profileId.nullable().default(null),
      /** This cause alone; null = all. */
      cause: reconciliationCauseSchema.nullable().default(null),
      cursor: z.string().max(64).nullable().default(null),
      /** 0 = the counts alone. */
      limit: z.int().min(0).max(200).default(50),
    }),
    reconciliationPageSchema,
  ),
  'payments.showExport': defineRequest(
    'Show the file of the last export in the folder it was written to.',
    z.object({}),
    /** False when nothing was exported since the console started. */
    z.object({ shown: z.boolean() }),
  ),
  'payments.exportReconciliation': defineRequest(
    'Write the queue as CSV, with causes and next action, to a file the person chooses; `file` is null when they chose none.',
    z.object({ profileId: profileId.nullable(), cause: reconciliationCauseSchema.nullable() }),
    z.object({ file: z.string().nullable(), written: z.int() }),
  ),
  'payments.dossier': defineRequest(
    'Write everything about one payment, with its proof, as a page and its JSON to a file the person chooses; `file` is null when they chose none.',
    z.object({ profileId, orderNumber, locale: localeTag }),
    z.object({
      file: z.string().nullable(),
      /** Whether every event is tied to a signed head. */
      proven: z.boolean(),
    }),
  ),
  'templates.list': defineRequest(
    "A profile's templates for frequent charges, by name.",
    z.object({ profileId }),
    z.object({ templates: z.array(templateSchema) }),
  ),
  'templates.save': defineRequest(
    'Add a template (id null), change one, or bring one back that was removed.',
    templateSchema.extend({ id: z.uuid().nullable() }),
    z.object({ template: templateSchema, templates: z.array(templateSchema) }),
  ),
  'templates.remove': defineRequest(
    'Remove a template; the rest of its profile come back.',
    z.object({ id: z.uuid() }),
    z.object({ templates: z.array(templateSchema) }),
  ),
  'callbacks.inspect': defineRequest(
    'Parse, verify and explain whatever was pasted; keeps nothing.',
    z.object({ text: z.string().max(8_000_000), form: callbackFormSchema.nullable().default(null) }),
    inspectionSchema,
  ),
  'callbacks.store': defineRequest(
    'Keep the callbacks found in a text as evidence.',
    z.object({
      text: z.string().max(8_000_000),
      form: callbackFormSchema.nullable().default(null),
      via: z.enum(['paste', 'file']),
      /** Where a callback belongs that no password verifies. */
      profileId,
    }),
    z.object({
      stored: z.int(),
      duplicates: z.int(),
      orders: z.array(z.object({ profileId: z.string(), orderNumber: z.string() })),
    }),
  ),
  'callbacks.openFile': defineRequest(
    'Open a file of callbacks the person chooses: a short one comes back as text (to be inspected like a pasted one), a long one is read on a thread of its own and told of by `callbacks.file`; null when they chose none.',
    emptySchema,
    z.object({ opened: z.object({ name: z.string(), text: z.string().nullable() }).nullable() }),
  ),
  'callbacks.dropFile': defineRequest(
    'Begin with a long file that was dropped on the window, in place of the one that is open: its parts follow, and it is read like one that was opened.',
    z.object({ name: z.string().min(1).max(255), bytes: z.int().min(1) }),
    z.object({ drop: z.uuid() }),
  ),
  'callbacks.dropPart': defineRequest(
    'The next part of a dropped file, in base64.',
    z.object({
      drop: z.uuid(),
      part: z
        .base64()
        .min(4)
        .max(Math.ceil(partBytes / 3) * 4),
    }),
    emptySchema,
  ),
  'callbacks.file': defineRequest(
    'The long file that is open, and how far it has been read or kept.',
    emptySchema,
    z.object({ file: fileInspectionSchema.nullable() }),
  ),
  'callbacks.fileRows': defineRequest(
    'Callbacks of the open file, in its order.',
    z.object({
      show: fileShowSchema.default('all'),
      from: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
    z.object({ rows: z.array(fileRowSchema), total: z.int() }),
  ),
  'callbacks.fileOne': defineRequest(
    'One callback of the open file, verified and explained.',
    z.object({ index: z.int().min(0) }),
    inspectionSchema,
  ),
  'callbacks.storeFile': defineRequest(
    'Keep all callbacks of the open file as evidence; `callbacks.file` tells how far it has come.',
    /** Where a callback belongs that no password verifies. */
    z.object({ profileId }),
    z.object({ file: fileInspectionSchema.nullable() }),
  ),
  'callbacks.closeFile': defineRequest(
    'Close the open file, whatever is being done with it; what was kept stays kept.',
    emptySchema,
    emptySchema,
  ),
  'callbacks.recent': defineRequest(
    'The inbox: callbacks, newest first, tokens and hashes masked.',
    z.object({ limit: z.int().min(1).max(200).default(50) }),
    z.object({ events: z.array(eventSchema) }),
  ),
  'receiver.chooseCertificate': defineRequest(
    "Take a certificate and its key, two PEM files the person chooses, for the merchant's door; null when they chose none.",
    emptySchema,
    z.object({ certificate: certificateSchema.nullable() }),
  ),
  'receiver.resetQuarantine': defineRequest(
    'Count unverified callbacks from zero again, after somebody has looked at them; all of them stay in the log.',
    emptySchema,
    appStateSchema,
  ),
  'receiver.test': defineRequest(
    'Have the sandbox send a signed callback through the whole path, and say how it was answered.',
    emptySchema,
    z.object({
      orderNumber: z.string(),
      /** Null when nobody answered. */
      httpStatus: z.int().nullable(),
      /** Milliseconds until the answer. */
      durationMs: z.number(),
      /** Whether it is in the log, and its signature verified. */
      stored: z.boolean(),
      verified: z.boolean(),
    }),
  ),
  'sandbox.faults': defineRequest(
    'Tell the sandbox gateway how to misbehave.',
    z.object({ faults: z.array(sandboxFaultSchema) }),
    emptySchema,
  ),
  'sandbox.resend': defineRequest(
    "Send an order's callbacks again, as the gateway's dashboard can (§6.2).",
    z.object({ orderNumber }),
    z.object({ sent: z.int() }),
  ),
  'sandbox.openDashboard': defineRequest(
    "Open the sandbox's dashboard in the browser.",
    emptySchema,
    emptySchema,
  ),
  'log.verify': defineRequest(
    'Check the chain and rebuild the projection, comparing.',
    emptySchema,
    verifyReportSchema,
  ),
  'log.rebuild': defineRequest(
    'Make the list of payments and its search index again from the evidence, then verify.',
    emptySchema,
    verifyReportSchema,
  ),
  'log.reopen': defineRequest(
    'Close the payment log and open it again, after what was in its way is gone.',
    emptySchema,
    appStateSchema,
  ),
  'log.backUp': defineRequest(
    'Copy the log, in use as it is, to a file the person chooses; `file` is null when they chose none.',
    emptySchema,
    z.object({ file: z.string().nullable(), bytes: z.int() }),
  ),
  'log.copies': defineRequest(
    'The daily copies, newest first.',
    emptySchema,
    z.object({ folder: z.string(), copies: z.array(copySchema) }),
  ),
  'log.checkCopy': defineRequest(
    'Verify a daily copy, or a file the person chooses (name null), before anything is replaced; null when they chose none.',
    z.object({ name: z.string().max(80).nullable() }),
    z.object({ candidate: candidateSchema.nullable() }),
  ),
  'log.restore': defineRequest(
    'Set the log aside, never deleting it, and put a checked copy in its place.',
    z.object({ token: z.uuid() }),
    z.object({ archivedAs: z.string() }),
  ),
  'log.createNew': defineRequest(
    'Set aside a log that cannot be opened, never deleting it, and begin a new one.',
    emptySchema,
    z.object({ archivedAs: z.string() }),
  ),
  'log.erase': defineRequest(
    "Erase an order's customer details for good; the record still verifies.",
    z.object({ profileId, orderNumber }),
    emptySchema,
  ),
} as const;

export type RequestName = keyof typeof ipcRequests;
export const requestNames = Object.keys(ipcRequests) as RequestName[];
export type RequestInput<N extends RequestName> = z.input<(typeof ipcRequests)[N]['input']>;
/** The input after validation, defaults filled in: what a handler gets. */
export type RequestParsed<N extends RequestName> = z.output<(typeof ipcRequests)[N]['input']>;
export type RequestOutput<N extends RequestName> = z.output<(typeof ipcRequests)[N]['output']>;

/** What main tells the window by itself. While the desk is locked, `app.locked` alone. */
export const ipcEvents = {
  'app.changed': appStateSchema,
  'app.locked': lockSchema,
  /** None by name: the log itself was replaced, and everything is to be read anew. */
  'payments.changed': z.object({
    payments: z.array(z.object({ profileId: z.string(), orderNumber: z.string() })),
  }),
  /** A place waits to be taken; this does not say which, since the desk may be locked. */
  'navigation.pending': emptySchema,
  'lookUps.changed': z.object({ round: bulkLookUpSchema.nullable() }),
  'callbacks.file': z.object({ file: fileInspectionSchema.nullable() }),
  'export.progress': z.object({
    requestId: z.uuid(),
    written: z.int(),
    /** Null when nobody knows yet. */
    total: z.int().nullable(),
  }),
  'callbacks.arrived': z.object({ events: z.array(eventSchema) }),
  'log.progress': z.object({
    job: z.enum(['verify', 'copy', 'check']),
    /** Of whatever the job counts. */
    done: z.int(),
    total: z.int(),
  }),
} as const;
export type IpcEventName = keyof typeof ipcEvents;
export const ipcEventNames = Object.keys(ipcEvents) as IpcEventName[];
export type IpcEvent<N extends IpcEventName> = z.output<(typeof ipcEvents)[N]>;

/** The one object the preload puts on `window`. */
export type IpcApi = {
  call<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Result<RequestOutput<N>>>;
  /** Returns its own unsubscribe. */
  subscribe<N extends IpcEventName>(name: N, listener: (payload: IpcEvent<N>) => void): () => void;
};

/** Every call has a handler, or it does not compile. */
export type Handlers = {
  [N in RequestName]: (input: RequestParsed<N>) => Promise<Result<RequestOutput<N>>>;
};
