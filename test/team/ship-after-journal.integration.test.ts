import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import type { SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import { startShipping } from '../../main/team/ship.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { logFolder, type LogFolder } from '../../tools/app-harness/running-payment-log.ts';
import { mayMount, mountDisk, unmountDisk } from '../../tools/app-harness/small-disk.ts';
import { note } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('what the shared log receives of a journal (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  let folder: LogFolder;
  let shared: SharedLog;
  beforeEach(async () => {
    folder = logFolder();
    closing.push(() => folder.remove());
    shared = team.open(await team.add('console', 'Counter 1'));
  });

  const storedEvents = async (): Promise<number> =>
    Number((await team.sql<{ events: string }>('SELECT count(*) AS events FROM event'))[0]?.events);
  /** The events of a journal with this number of notes. */
  const written = async (count: number): Promise<readonly ChainedEvent[]> => {
    const journal = await folder.open();
    must(await journal.append(Array.from({ length: count }, (_, index) => note(index, `Note ${index}`))));
    return journal.ownChain.events(0, count);
  };
  const takeUp = async () => must(await shared.join('console-1', () => undefined));

  test('events that the server refuses can be stored afterwards', async () => {
    const events = await written(1);
    const chain = await takeUp();
    const wrong = events.map(event => ({ ...event, id: 'no id' }));
    expect(await chain.append(chain.end, wrong)).toMatchObject({ ok: false });
    const again = await takeUp();
    expect(must(await again.append(again.end, events))).toBe('stored');
    expect(await storedEvents()).toBe(1);
  });

  test.skipIf(!mayMount)(
    'a full disk below the journal: the shared log has what the journal has',
    async () => {
      const disk = newFolder('disk');
      mountDisk(disk, 'size=1m');
      try {
        const file = join(disk, 'payments.db');
        const journal = must(await openPaymentLog({ file, writer: 'console-1' }));
        const shipping = startShipping({ clock: Date.now, journal, shared });
        await shipping.compared;
        let last = 0;
        let refused = '';
        while (refused === '' && last < 1_000) {
          const appended = await journal.append([note(last, 'x'.repeat(4_000))]);
          if (appended.ok) last = appended.value.events.at(-1)?.writerSeq ?? 0;
          else refused = appended.error.code;
        }
        expect(refused).toBe('log.full');
        expect(await shipping.shipped(last, 10_000)).toBe(true);
        expect(await shipping.shipped(last + 1, 500)).toBe(false);
        expect(await storedEvents()).toBe(last);
        execFileSync('mount', ['-o', 'remount,size=8m', disk]);
        must(await journal.append([note(last, 'there is room again')]));
        expect(await shipping.shipped(last + 1, 10_000)).toBe(true);
        expect(must(await shared.chainEnds())).toEqual(await journal.chainEnds());
        expect(must(await shared.verify()).problems).toEqual([]);
        await shipping.close();
        await journal.close();
      } finally {
        unmountDisk(disk);
      }
    },
  );
});
