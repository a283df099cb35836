import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { joiningText } from '../../../main/team/joining-text.ts';
import { startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { timeoutMs } from '../../../tools/app-harness/running-payment-log.ts';
import { note, requested } from '../../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

const dayMs = 86_400_000;

describe.skipIf(isPostgresMissing)('a console whose clock was a day ahead (needs PostgreSQL)', () => {
  const { team } = useTeam();
  let app: TestApp | null = null;
  afterEach(() => app?.remove());

  test('a console whose clock was a day ahead says after joining until when its entries are dated ahead', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-console-'));
    const log = must(
      await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'console-1', timeoutMs }),
    );
    await log.ownChain.correctClock(dayMs);
    const [earlier] = must(await log.append([requested(0), note(0, 'x')])).events;
    await log.close();
    const until = earlier?.recordedAt ?? 0;
    expect(until - Date.now()).toBeGreaterThan(dayMs - 600_000);

    const running = await startTestApp(folder, { clock: () => Date.now() + dayMs });
    app = running;
    const recordedAhead = async () => value(await running.request('app.read', {})).log.recordedAhead;
    await running.daily();
    expect(await recordedAhead()).toBeNull();
    value(await running.request('team.join', { text: joiningText(await team.add('console', 'Counter 1')) }));
    await expect.poll(recordedAhead, { timeout: 15_000 }).toBe(until);
    const { team: standing } = value(await running.request('app.read', {}));
    expect((standing?.clockOffsetMs ?? 0) + dayMs).toBeLessThan(60_000);
  });
});
