import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { startShipping } from '../../../main/team/ship.ts';
import { must, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { atLeast, atMost, type Row } from '../measure.ts';
import { fillLog } from '../payment-log/fill-log.ts';

/** Events of each payment of payments.ts, on average. */
const eventsPerPayment = 5;
const timeoutMs = 30 * 60_000;

/**
 * A console with a full journal joins: the rate at which its events reach the shared log. It is interrupted in the
 * middle and continues there; what is there at the end must be the journal, once.
 */
export const joinRate = async (team: Team, events: number): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const file = join(folder, 'payments.db');
  await fillLog(file, Math.ceil(events / eventsPerPayment), Date.now());
  const journal = must(await openPaymentLog({ file, writer: 'bench' }));
  try {
    const own =
      (await journal.chainEnds()).find(({ writer }) => writer === journal.ownChain.writer)?.seq ?? 0;
    const settings = await team.add('console', 'Bench with a full journal');
    const ship = async (until: number): Promise<number> => {
      const shared = team.open(settings);
      const startedAt = performance.now();
      const shipping = startShipping({ clock: Date.now, journal, shared });
      if (!(await shipping.shipped(until, timeoutMs))) throw new Error('The journal was not shipped.');
      const took = performance.now() - startedAt;
      await shipping.close();
      return took;
    };
    const took = (await ship(Math.floor(own / 2))) + (await ship(own));
    const [stored] = await team.sql<{ events: string; last: string }>(
      `SELECT count(*) AS events, max(e.writer_seq) AS last FROM event e JOIN writer w ON w.id = e.writer
        WHERE w.name = 'bench'`,
    );
    const wrong = Math.abs(Number(stored?.events) - own) + Math.abs(Number(stored?.last) - own);
    const of = `with ${own.toLocaleString('en')} events`;
    return [
      atLeast(
        `a console ${of} joins, interrupted once, events per second / 10,000`,
        own / (took / 1_000),
        10_000,
        1,
      ),
      atMost(`the same, events that are missing or twice`, wrong, 1, 0),
    ];
  } finally {
    await journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
