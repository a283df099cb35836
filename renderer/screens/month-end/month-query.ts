import type { MonthView } from '../../../shared/contract/statement-requests.ts';
import { request } from '../../ipc-client.ts';
import { createQuery } from '../../queries/create-query.ts';

/** Delay after a change of payments, milliseconds: comparing a month reads all of its payments. */
const throttleMs = 3_000;

/** A month compared with its statements. */
export const monthQuery = createQuery<{ profileId: string; month: string }, MonthView>({
  read: of => request('statements.month', of),
  on: ['payments.changed'],
  throttleMs,
});
