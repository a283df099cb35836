import type { DeskError } from '../../shared/errors.ts';
import type { FileInspection, FileShow } from '../../shared/file-inspection.ts';
import type { FileReading } from './file-reading.ts';
import type { Candidate } from './verdict.ts';

/** What the main thread and the thread that reads a file say to each other. */

export type FileSetup = { file: string; candidates: readonly Candidate[] };

export type ToFileWorker =
  | { ask: 'rows'; id: number; with: [show: FileShow, from: number, limit: number] }
  | { ask: 'one'; id: number; with: [index: number] }
  | { ask: 'batch'; id: number; with: [from: number, count: number] };

export type FileAnswer<N extends ToFileWorker['ask']> = ReturnType<FileReading[N]>;

export type FromFileWorker =
  | { say: 'state'; state: FileInspection }
  | { say: 'refused'; error: DeskError }
  | { say: 'answer'; id: number; value: unknown };
