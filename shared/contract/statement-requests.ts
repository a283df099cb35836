import * as z from 'zod';
import { movedMoneySchema } from '../money/moved-money.schema.ts';
import { mappingSchema } from '../statements/mapping.schema.ts';
import {
  columnRoles,
  dateOrders,
  lineKinds,
  matchRules,
  maxDecisionText,
  movementStandings,
  numberForms,
  paymentLineKinds,
  statementFormats,
} from '../statements/statement-kinds.ts';
import {
  countsSchema,
  decisions,
  monthSchema,
  notReadReasons,
  periodSchema,
  statementSumsSchema,
} from '../statements/statement-record.schema.ts';
import { defineRequest, profileId } from './define-request.ts';

const previewSchema = z.object({
  name: z.string(),
  format: z.enum(statementFormats),
  columns: z.array(z.object({ heading: z.string(), role: z.enum(columnRoles), cells: z.array(z.string()) })),
  conventions: z.object({ numbers: z.enum(numberForms), dates: z.enum(dateOrders) }).nullable(),
  /** What the file leaves open; a person chooses once. */
  questions: z.array(
    z.discriminatedUnion('about', [
      z.object({ about: z.literal('numbers'), choices: z.array(z.enum(numberForms)) }),
      z.object({ about: z.literal('dates'), choices: z.array(z.enum(dateOrders)) }),
    ]),
  ),
  lines: z.int(),
  notRead: z.int(),
  skipped: z.int(),
  period: periodSchema.nullable(),
  /** Lines that agree with payments here, as it is read now. */
  agreed: z.int(),
  sample: z.array(
    z.object({
      line: z.int(),
      kind: z.enum(lineKinds),
      order: z.string().nullable(),
      day: z.string().nullable(),
      gross: z.string(),
      currency: z.string(),
    }),
  ),
  mapping: mappingSchema,
  /** The month that it was imported for already. */
  isKnown: z.boolean(),
});
export type StatementPreview = z.infer<typeof previewSchema>;

/** Why a row does not agree: of lines without a payment, of differences, and of what was not read. */
const rowReasons = ['again', 'unknown', 'amount-unknown', ...notReadReasons] as const;

/** A row of one of the lists. */
const rowSchema = z.object({
  list: z.enum(['agreed', 'onlyHere', 'onlyThere', 'different', 'notRead']),
  /** Of its list. */
  id: z.string(),
  statement: z.uuid().nullable(),
  line: z.int().nullable(),
  movement: z.string().nullable(),
  orderNumber: z.string().nullable(),
  kind: z.enum(paymentLineKinds).nullable(),
  rule: z.enum(matchRules).nullable(),
  amount: z.string().nullable(),
  currency: z.string(),
  day: z.string().nullable(),
  /** Why it is in its list. */
  reason: z.enum(rowReasons).nullable(),
  ours: z.string().nullable(),
  theirs: z.string().nullable(),
  explanation: z.object({ text: z.string(), agent: z.string(), at: z.int() }).nullable(),
});
export type StatementRow = z.infer<typeof rowSchema>;

const monthViewSchema = z.object({
  month: monthSchema,
  zone: z.string(),
  statements: z.array(
    z.object({
      statement: z.uuid(),
      name: z.string(),
      format: z.enum(statementFormats),
      importedAt: z.int(),
      agent: z.string(),
      lines: z.int(),
      notRead: z.int(),
      period: periodSchema.nullable(),
    }),
  ),
  counts: countsSchema,
  rows: z.array(rowSchema),
  payouts: z.array(
    z.object({
      statement: z.uuid(),
      line: z.int(),
      batch: z.string().nullable(),
      first: z.string().nullable(),
      last: z.string().nullable(),
      currency: z.string(),
      gross: z.string(),
      fees: z.string(),
      net: z.string(),
      agrees: z.boolean(),
      /** The bank's line that received it; null: none was imported. */
      bankLine: z.int().nullable(),
    }),
  ),
  sums: z.array(statementSumsSchema),
  /** Of the overview: what moved in the month. */
  figures: z.array(movedMoneySchema),
  /** What of it is in the statements; all parts of a currency are the overview's net, before fees. */
  parts: z.array(
    z.object({
      standing: z.enum(movementStandings),
      currency: z.string(),
      /** Null: it is the money of others. */
      movements: z.int().nullable(),
      /** With a minus sign if more went back, or if it is left out. */
      amount: z.string(),
    }),
  ),
  /** The last closing; `changes`: what later evidence changed in it. */
  closed: z
    .object({
      at: z.int(),
      agent: z.string(),
      figures: z.array(movedMoneySchema),
      counts: countsSchema,
      changes: z.array(
        z.object({
          orderNumber: z.string(),
          currency: z.string(),
          before: z.string(),
          now: z.string(),
          /** Who asked for or recorded it; `console` for what the provider sent. */
          agent: z.string(),
          at: z.int(),
        }),
      ),
      /** Statements, ties or explanations changed since. */
      isOtherStatements: z.boolean(),
    })
    .nullable(),
});
export type MonthView = z.infer<typeof monthViewSchema>;

const ofMonth = z.object({ profileId, month: monthSchema });

/** Requests about statements of providers and banks, and closed months. */
export const statementRequests = {
  'statements.open': defineRequest(
    'Choose and read a statement of a provider or a bank; null if the user cancelled. Nothing is kept before `statements.import`.',
    { right: 'export', effect: 'none' },
    z.object({ profileId }),
    previewSchema.nullable(),
  ),
  'statements.preview': defineRequest(
    'Read the open statement again with what a person decided about its columns.',
    { right: 'export', effect: 'none' },
    z.object({ mapping: mappingSchema }),
    previewSchema,
  ),
  'statements.import': defineRequest(
    'Keep the open statement: its name and hash, and of its lines what matching needs; all of it or nothing.',
    { right: 'export', effect: 'write', recorded: 'no' },
    z.object({}),
    z.object({ month: monthSchema }),
  ),
  'statements.close': defineRequest(
    'Close the open statement without keeping it; stops reading.',
    { right: 'export', effect: 'none' },
    z.object({}),
    z.object({}),
  ),
  'statements.month': defineRequest(
    'A month compared: what agrees, what is only here or only there, what differs, payouts, and what changed since it was closed.',
    { right: 'everyone', effect: 'none' },
    ofMonth,
    monthViewSchema,
  ),
  'statements.decide': defineRequest(
    'Tie a line to a movement, untie it, explain a line or a movement, or withdraw a statement; kept as evidence.',
    { right: 'export', effect: 'write', recorded: 'no' },
    ofMonth.extend({
      decision: z.enum(decisions),
      statement: z.uuid().nullable(),
      line: z.int().nullable(),
      movement: z.string().max(300).nullable(),
      text: z.string().trim().max(maxDecisionText),
    }),
    monthViewSchema,
  ),
  'statements.closeMonth': defineRequest(
    'Close a month with its figures; kept as evidence. Later changes are shown against it.',
    { right: 'export', effect: 'write', recorded: 'no' },
    ofMonth,
    monthViewSchema,
  ),
  'statements.report': defineRequest(
    'Write the report of a month to a file that the user chooses; `file` is null if they cancelled.',
    { right: 'export', effect: 'export', recorded: 'required' },
    ofMonth.extend({ format: z.enum(['pdf', 'xlsx']) }),
    z.object({ file: z.string().nullable(), signed: z.boolean() }),
  ),
} as const;
