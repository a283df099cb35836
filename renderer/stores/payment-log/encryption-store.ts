import { create } from 'zustand';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { useMaintenance } from './payment-log-maintenance-store.ts';

/** The encryption of the payment log: the running change, and the recovery phrase while it is shown. */
type EncryptionState = {
  /** The running change and its progress; `total` is 0 until known. */
  running: { done: number; total: number } | null;
  /** A new phrase before it is confirmed. */
  offered: RequestOutput<'log.beginEncryption'> | null;
  /** The phrase of the encrypted log. */
  words: readonly string[] | null;
  done: 'encrypted' | 'decrypted' | 'unlocked' | 'plain-removed' | null;
  problem: AppError | null;
  listen: () => () => void;
  begin: () => Promise<void>;
  /** Forgets the phrase. */
  hide: () => void;
  encrypt: (answers: readonly string[]) => Promise<void>;
  decrypt: () => Promise<void>;
  showPhrase: (pin: string | null) => Promise<void>;
  unlock: (phrase: string) => Promise<void>;
  removePlainFiles: () => Promise<void>;
};

export const useEncryption = create<EncryptionState>()((set, get) => {
  /** One change at a time; its error stays until the next one. */
  const run = async <T>(
    work: () => Promise<Result<T>>,
    then: (value: T) => Partial<EncryptionState>,
  ): Promise<void> => {
    if (get().running) return;
    set({ running: { done: 0, total: 0 }, problem: null, done: null });
    const result = await work();
    set({ running: null, ...(result.ok ? then(result.value) : { problem: result.error }) });
    // Which of them are encrypted may have changed.
    void useMaintenance.getState().readCopies();
  };
  return {
    running: null,
    offered: null,
    words: null,
    done: null,
    problem: null,
    listen: () =>
      subscribe('log.progress', ({ job, done, total }) =>
        set(({ running }) => (running && job === 'encrypt' ? { running: { done, total } } : {})),
      ),
    begin: () =>
      run(
        () => request('log.beginEncryption', {}),
        offered => ({ offered }),
      ),
    hide: () => set({ offered: null, words: null, problem: null }),
    encrypt: answers =>
      run(
        () => request('log.encrypt', { answers: [...answers] }),
        () => ({ offered: null, done: 'encrypted' }),
      ),
    decrypt: () =>
      run(
        () => request('log.decrypt', {}),
        () => ({ done: 'decrypted' }),
      ),
    showPhrase: pin =>
      run(
        () => request('log.readPhrase', { pin }),
        ({ words }) => ({ words }),
      ),
    unlock: phrase =>
      run(
        () => request('log.unlock', { phrase }),
        () => ({ done: 'unlocked' }),
      ),
    removePlainFiles: () =>
      run(
        () => request('log.removePlainFiles', {}),
        () => ({ done: 'plain-removed' }),
      ),
  };
});
