import type { DeskError } from '../../shared/errors.ts';
import type { FileInspection, FileShow } from '../../shared/file-inspection.ts';
import type { FileReading } from './file-reading.ts';
import type { Candidate } from './verdict.ts';

/** What the main thread and the thread that reads a file say to each other. */

/** A file on this PC, by its path; or one whose bytes are handed over, so many of them. */
export type FileSource = { file: string } | { name: string; bytes: number };
export type FileSetup = { source: FileSource; candidates: readonly Candidate[] };

export type ToFileWorker =
  | { ask: 'rows'; id: number; with: [show: FileShow, from: number, limit: number] }
  | { ask: 'one'; id: number; with: [index: number] }
  | { ask: 'batch'; id: number; with: [from: number, count: number] };
/** The next bytes of a file that is handed over; it has no answer. */
export type FilePart = { part: Uint8Array };

export type FileAnswer<N extends ToFileWorker['ask']> = ReturnType<FileReading[N]>;

export type FromFileWorker =
  | { say: 'state'; state: FileInspection }
  | { say: 'refused'; error: DeskError }
  | { say: 'answer'; id: number; value: unknown };
