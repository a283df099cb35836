import * as z from 'zod';
import { movedMoneySchema } from '../money/moved-money.schema.ts';
import { mappingSchema } from './mapping.schema.ts';
import { maxDecisionText, statementFormats } from './statement-kinds.ts';

/** Why a line is not read: what it lacks, or that the bank has not booked it, or the payment was not made. */
export const notReadReasons = ['amount', 'currency', 'day', 'pending', 'not-made'] as const;

/** The days that a statement covers, ISO dates. */
export const periodSchema = z.object({ first: z.iso.date(), last: z.iso.date() });

/** A calendar month, `2026-11`. */
export const monthSchema = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/);

/** Sums of one currency, wire form; the net may have a minus sign. */
export const sumsSchema = z.object({
  currency: z.string(),
  gross: z.string(),
  fees: z.string(),
  net: z.string(),
});
export type Sums = z.infer<typeof sumsSchema>;
/** Of one statement: those of a provider and of a bank are of the same money, and never added up. */
export const statementSumsSchema = sumsSchema.extend({ statement: z.uuid() });

/** A movement here by its payment, see `Movement`. */
const movementKey = z.string().max(300);

const imported = z.object({
  record: z.literal('imported'),
  statement: z.uuid(),
  /** Of the file, without its folder. */
  name: z.string().max(255),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  format: z.enum(statementFormats),
  /** Of files with the same headings, or the same format of a bank. */
  sender: z.string().max(40),
  /** How its columns were read, and are read in the next file of the sender. */
  mapping: mappingSchema,
  lines: z.int(),
  notRead: z.int(),
  /** The first of the lines that were not read. */
  unread: z.array(z.object({ line: z.int(), why: z.enum(notReadReasons) })).max(1_000),
  period: periodSchema.nullable(),
});

/** A part of the lines, in order: a file with many has several. `lines`: one a line, see `packLine`. */
const lines = z.object({ record: z.literal('lines'), statement: z.uuid(), part: z.int(), lines: z.string() });

/**
 * `tied`: this line is this movement. `untied`: it is not. `explained`: why a line, or a movement, has no other side.
 * `withdrawn`: the statement does not count any more.
 */
export const decisions = ['tied', 'untied', 'explained', 'withdrawn'] as const;
const decided = z.object({
  record: z.literal('decided'),
  decision: z.enum(decisions),
  statement: z.uuid().nullable(),
  line: z.int().nullable(),
  movement: movementKey.nullable(),
  text: z.string().max(maxDecisionText),
});

/** What the four lists contained. */
export const countsSchema = z.object({
  agreed: z.int(),
  onlyHere: z.int(),
  onlyThere: z.int(),
  different: z.int(),
  explained: z.int(),
  notRead: z.int(),
});
export type AgreementCounts = z.infer<typeof countsSchema>;

const closed = z.object({
  record: z.literal('closed'),
  month: monthSchema,
  /** The zone whose days were counted, IANA. */
  zone: z.string().max(64),
  /** The overview's figures, by currency. */
  figures: z.array(movedMoneySchema),
  counts: countsSchema,
  sums: z.array(statementSumsSchema),
  /** The statements that it rests on, by their SHA-256. */
  files: z.array(z.string()),
  /** The last event of each chain, by its writer: what came later is a change. */
  positions: z.record(z.string(), z.int()),
});

export const statementRecordSchema = z.discriminatedUnion('record', [imported, lines, decided, closed]);
export type StatementRecord = z.infer<typeof statementRecordSchema>;
export type RecordOf<K extends StatementRecord['record']> = Extract<StatementRecord, { record: K }>;
