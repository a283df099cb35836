import type { Result } from '../../shared/errors.ts';
import type { TeamStanding } from '../../shared/team/team-standing.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';
import type { Claim, Rival, SharedOperations } from '../payment-log/postgres/shared-operations.ts';

/** The shared payment log of this installation, if it has joined one. */
export type Team = {
  /** Null: this installation works alone. */
  standing(): TeamStanding | null;
  /** The shared log, connected or not; null without one. */
  shared(): SharedLog | null;
  /** Whether events are expected to reach the shared log now. */
  isConnected(): boolean;
  /** Whether everything that the others have written is here, as far as the shared log is known. */
  isLevel(): boolean;
  /**
   * Claims what is about to be sent: the rival because of which it must not be; null: it may be sent, always alone.
   * Errors: the shared log cannot decide, for example `log.unreachable`.
   */
  begin(claim: Claim): Promise<Result<Rival | null>>;
  /** Ends a claim. Not sent, or not carried out: it counts no more. */
  end(id: string, isSent: boolean): Promise<void>;
  /** What a person sent at other installations since a time; 0 alone. Null: not known. Errors: as `begin`. */
  spentElsewhere: SharedOperations['spent'];
  /**
   * Claims a task for `milliseconds`, so that one installation only does it. True without a shared log or a connection.
   */
  claim(task: string, milliseconds: number): Promise<boolean>;
  /** The payment log that everyone uses: `journal` alone, or as a part of the team. */
  log(journal: Result<PaymentLog>): Result<PaymentLog>;
  /** Call it with every opened journal; the cleanup is to be awaited before the journal is closed. */
  attach(journal: PaymentLog): () => Promise<void>;
  /** Applies changed settings. */
  restart(): Promise<void>;
};
