import { hash } from 'node:crypto';
import { maskCardNumbers } from '../../../shared/card-number.ts';
import type { notReadReasons } from '../../../shared/statements/statement-record.schema.ts';
import type { LineKind, NumberForm, DateOrder } from '../../../shared/statements/statement-kinds.ts';
import { plainWords } from './plain-words.ts';

/** One line of a statement as it is matched: no name and no text of a customer. */
export type Line = {
  /** In the file; of an XML file the number of the transaction. */
  line: number;
  kind: LineKind;
  /** False: only the sign says what it is. */
  isKindCertain: boolean;
  order: string | null;
  /** Payment id, RRN and other references. */
  references: readonly string[];
  approval: string | null;
  /** The last digits of the card. */
  card: string | null;
  /** Words of a free text that contain a digit. */
  words: readonly string[];
  /** Of a booking that may be no payment: its text without digits, hashed. Bookings of one kind share it. */
  form: string | null;
  /** When it was paid, or went back, an ISO date; and when it was settled. */
  day: string | null;
  settled: string | null;
  currency: string;
  /** Minor units; what went back is negative. */
  gross: bigint;
  fee: bigint;
  net: bigint;
  batch: string | null;
};

/** Why a line was not understood: the role whose text cannot be read. */
export type NotRead = { line: number; why: (typeof notReadReasons)[number] };

/** What fits the whole file in several ways; asked once. */
export type Question = { about: 'numbers'; choices: NumberForm[] } | { about: 'dates'; choices: DateOrder[] };

/** The lines of a statement, and what was recognised and is no line. */
export type Lines = {
  lines: readonly Line[];
  notRead: readonly NotRead[];
  /** Title, total and empty rows. */
  skipped: number;
  /** The days that the file says it covers; null if it does not. */
  period: { first: string; last: string } | null;
};

/** The last four digits of a card; a complete number is not kept. */
export const cardOf = (text: string): string | null => /(\d{4})\D*$/.exec(text)?.[1] ?? null;

/** The shortest card number, characters. */
const minCardChars = 13;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A text without card numbers: a file may have one anywhere. */
export const withoutCards = (text: string): string =>
  text.length < minCardChars || uuid.test(text) ? text : maskCardNumbers(text);

/** A reference as it is kept; null if there is none. */
export const referenceOf = (text: string | undefined): string | null =>
  withoutCards((text ?? '').trim()) || null;

/** Words of a text that may be references: they contain a digit, and are neither an account nor a card. */
export const wordsOf = (text: string): string[] =>
  [...new Set(withoutCards(text).match(/[\p{L}\p{N}][\p{L}\p{N}_/.-]{2,39}/gu) ?? [])]
    .filter(
      word => /\d{3}/.test(word) && !/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(word) && !/^\d{13,19}$/.test(word),
    )
    .slice(0, 12);

/** The last digits of a card that a text of a bank names as one. */
export const cardInText = (text: string): string | null =>
  /(?:card|karte|carte|tarjeta|carta|kaart|karta)\D{0,12}(\d{4})\b/i.exec(text)?.[1] ?? null;

/** A text by which bookings of one kind are recognised: without digits, so that no reference is in it. */
export const formOf = (text: string): string =>
  hash('sha256', plainWords(text).replaceAll(/\d+/g, ' ').replaceAll(/ +/g, ' ')).slice(0, 8);
