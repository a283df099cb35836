import type { CallbackFields, CallbackForm } from '../../../shared/payments/evidence.ts';
import type { Doubt } from '../../../shared/callbacks/inspection.ts';
import type { MessageSet } from '../message-set.ts';

/** What the readers of one scan share. */

/** A callback found in a text, with its form and offset (UTF-16 units from the start). */
export type FoundCallback = {
  fields: CallbackFields;
  form: CallbackForm;
  offset: number;
  /** Why the fields may not be what was sent; absent = they are. */
  doubt?: Doubt;
};

/** State of one parse: the problems, and the remaining budget for broken structures. */
export type Reading = {
  problems: MessageSet;
  /** Budget for failed attempts at structures, characters: keeps hostile input linear. */
  maxScannedChars: number;
  /** Cached position of the next opening bracket, so that it is not searched from every line. */
  bracket: { from: number; at: number };
  /** Up to here no line begins a callback of lines. */
  linesFrom: number;
  /** Up to here no entry of print_r begins a callback. */
  entriesFrom: number;
  /** Up to here no line begins a command. */
  commandsFrom: number;
  /** The form that the user selected: only this one is read. */
  only: CallbackForm | null;
};

/** The initial state of a text. */
export const initialReading = { bracket: { from: 0, at: -1 }, linesFrom: 0, commandsFrom: 0, entriesFrom: 0 };

/** Nesting limit, levels: a body in a body is read up to here. */
export const maxDepth = 6;
/** Length limit, characters: in a longer line only structures are searched. */
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
