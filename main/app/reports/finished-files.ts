import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import type { System } from '../common/system.ts';

/** The one place where every export, statement and dossier ends. */
export type FinishedFiles = ReturnType<typeof createFinishedFiles>;

export const createFinishedFiles = (
  system: Pick<System, 'showInFolder'>,
  heads: Pick<HeadSigner, 'signFile'>,
) => {
  /** The renderer sends no path. */
  let last: string | null = null;
  const finishProven = (file: string): void => {
    last = file;
  };
  return {
    /**
     * Signs a head beside the file, `<file>.head.json`, and remembers the file for `showLast`. Returns whether it was
     * signed.
     */
    finish: async (log: PaymentLog, file: string): Promise<{ signed: boolean }> => {
      finishProven(file);
      return { signed: (await heads.signFile(log, file)).ok };
    },
    /** As `finish`, for a file that contains its own proof. */
    finishProven,
    /** Shows the last file in its folder; false if there is none. */
    showLast: (): boolean => {
      if (last === null) return false;
      system.showInFolder(last);
      return true;
    },
  };
};

/** The name of the signed head beside a file. */
export const headFileOf = (file: string): string => `${file}.head.json`;
