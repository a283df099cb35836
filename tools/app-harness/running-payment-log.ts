import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import type { OpenPaymentLog, PaymentLog } from '../../main/payment-log/payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { paymentFilterSchema, type PaymentFilter } from '../../shared/contract/contract.ts';

/** Milliseconds: long enough that even on a busy machine the list shows all events. */
export const timeoutMs = 20_000;

/** A log in a separate folder, for one test. */
export type LogFolder = ReturnType<typeof logFolder>;

export const logFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-log-'));
  const file = join(folder, 'payments.db');
  const opened: PaymentLog[] = [];
  return {
    file,
    open: async (
      writer: string = 'console-1',
      options: Partial<Parameters<OpenPaymentLog>[0]> = {},
    ): Promise<PaymentLog> => {
      const log = await openPaymentLog({ file, writer, timeoutMs, ...options });
      if (!log.ok) throw new Error(`${log.error.code}: ${inEnglish(log.error.message)}`);
      opened.push(log.value);
      return log.value;
    },
    /** Changes the file outside the log, like a person with a database tool. */
    tamper: (...sql: string[]): void => {
      const database = new Database(file);
      database.unsafeMode(true);
      const triggers = database
        .prepare<[], string>(
          "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name IN ('event_stays', 'event_remains')",
        )
        .pluck()
        .all();
      database.exec('DROP TRIGGER IF EXISTS event_stays; DROP TRIGGER IF EXISTS event_remains;');
      for (const statement of sql) database.exec(statement);
      for (const trigger of triggers) database.exec(trigger);
      database.close();
    },
    remove: async (): Promise<void> => {
      for (const log of opened) await log.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export const filter = (wanted: Partial<PaymentFilter>): PaymentFilter => paymentFilterSchema.parse(wanted);
