import { create } from 'zustand';
import type {
  RequestOutput,
  IpcEvent,
  RestoreCandidate,
  VerifyReport,
} from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { currentTime } from '../../i18n/time-left.ts';

type Job = IpcEvent<'log.progress'>['job'];

/** Maintenance of the payment log: the running job, its result, the copies for restoring. */
type MaintenanceState = {
  /** The running job and its progress; `total` is 0 until known. */
  running: { job: Job | 'other'; done: number; total: number } | null;
  report: (VerifyReport & { at: number }) | null;
  copies: RequestOutput<'log.copies'> | null;
  candidate: RestoreCandidate | null;
  /** The last finished job, for a message. */
  done: { what: 'backed-up' | 'backed-up-unsigned' | 'restored' | 'started-new'; name: string } | null;
  problem: AppError | null;
  listen: () => () => void;
  readCopies: () => Promise<void>;
  verify: () => Promise<void>;
  rebuild: () => Promise<void>;
  reopen: () => Promise<void>;
  backUp: () => Promise<void>;
  checkCopy: (name: string | null) => Promise<void>;
  clearCandidate: () => void;
  restore: () => Promise<void>;
  createNew: () => Promise<void>;
};

export const useMaintenance = create<MaintenanceState>()((set, get) => {
  /** One job at a time; its error stays until the next job. */
  const run = async <T>(
    job: Job | 'other',
    work: () => Promise<{ ok: true; value: T } | { ok: false; error: AppError }>,
    then: (value: T) => Partial<MaintenanceState>,
  ): Promise<void> => {
    if (get().running) return;
    set({ running: { job, done: 0, total: 0 }, problem: null, done: null });
    const result = await work();
    set({ running: null, ...(result.ok ? then(result.value) : { problem: result.error }) });
  };
  return {
    running: null,
    report: null,
    copies: null,
    candidate: null,
    done: null,
    problem: null,
    listen: () =>
      subscribe('log.progress', ({ job, done, total }) =>
        set(({ running }) => (running?.job === job ? { running: { job, done, total } } : {})),
      ),
    readCopies: async () => {
      const read = await request('log.copies', {});
      if (read.ok) set({ copies: read.value });
    },
    verify: () =>
      run(
        'verify',
        () => request('log.verify', {}),
        value => ({ report: { ...value, at: currentTime() } }),
      ),
    rebuild: () =>
      run(
        'verify',
        () => request('log.rebuild', {}),
        value => ({ report: { ...value, at: currentTime() } }),
      ),
    reopen: () =>
      run(
        'other',
        () => request('log.reopen', {}),
        () => ({}),
      ),
    backUp: () =>
      run(
        'copy',
        () => request('log.backUp', {}),
        ({ file, signed }) =>
          file === null ? {} : { done: { what: signed ? 'backed-up' : 'backed-up-unsigned', name: file } },
      ),
    checkCopy: name =>
      run(
        'check',
        () => request('log.checkCopy', { name }),
        ({ candidate }) => ({ candidate }),
      ),
    clearCandidate: () => set({ candidate: null }),
    restore: async () => {
      const { candidate } = get();
      if (!candidate) return;
      await run(
        'other',
        () => request('log.restore', { token: candidate.token }),
        ({ archivedAs }) => ({ done: { what: 'restored', name: archivedAs } }),
      );
      set({ candidate: null, report: null });
    },
    createNew: () =>
      run(
        'other',
        () => request('log.createNew', {}),
        ({ archivedAs }) => ({ done: { what: 'started-new', name: archivedAs } }),
      ),
  };
});
