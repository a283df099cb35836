import type { CallbackFields, CallbackForm } from '../../../shared/payments/evidence.ts';

/** What the readers of one scan share. */

/** A callback found in a text, with the form it stood in and where (UTF-16 units from the start). */
export type FoundCallback = { fields: CallbackFields; form: CallbackForm; offset: number };

/** What a whole reading shares: what to say, and how much broken structure it may still look through. */
export type Reading = {
  problems: Set<string>;
  /** Characters that failed attempts at structures may still cost: keeps hostile input linear. */
  maxScannedChars: number;
  /** Where the next opening bracket stands, as far as is known: looked for once, not from every line. */
  bracket: { from: number; at: number };
  /** Up to here no line begins a callback of lines. */
  linesFrom: number;
  /** When the person chose the form: only that one is read. */
  only: CallbackForm | null;
};

/** What is known of a text at its beginning. */
export const initialReading = { bracket: { from: 0, at: -1 }, linesFrom: 0 };

/** Nesting limit, levels: a body in a body is read up to here. */
export const maxDepth = 6;
/** A line longer than this is searched for structures alone. */
export const maxLineChars = 1_000_000;

/** One scan of one text: `end` is where it ends, `depth` how deep the text is nested. */
export type Scope = {
  reading: Reading;
  text: string;
  end: number;
  depth: number;
  /** The callbacks within a value that is a text itself. */
  inner: (text: string) => CallbackFields[];
  acceptsForm: (form: CallbackForm) => boolean;
};

/** The same form and place for each of several callbacks. */
export const relabel = (form: CallbackForm, fields: CallbackFields[], offset: number): FoundCallback[] =>
  fields.map(fields => ({ fields, form, offset }));
