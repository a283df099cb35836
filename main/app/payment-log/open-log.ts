import type { Result } from '../../../shared/errors.ts';
import type { OpenLog, PaymentLog } from '../../payment-log/payment-log.ts';
import {
  interruptedReplacement,
  type ReplacementPurpose,
} from '../../payment-log/sqlite/files/replace-log.ts';

/** Opens the log. `onReplaced`: called if that completed a replacement which the end of the process had interrupted. */
export const openReplacedLog =
  (
    { openLog, logFile }: { openLog: OpenLog; logFile: string },
    onReplaced: (replacement: { archivedAs: string; purpose: ReplacementPurpose }) => void,
  ) =>
  async (onStateError: Parameters<OpenLog>[0]): Promise<Result<PaymentLog>> => {
    const interrupted = interruptedReplacement(logFile);
    const opened = await openLog(onStateError);
    if (opened.ok && interrupted) onReplaced(interrupted);
    return opened;
  };
