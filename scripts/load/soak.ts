import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setup as bundleWorkers } from '../../tools/app-harness/bundle-workers.ts';
import { drivers } from '../../tools/browser-harness/harness.ts';
import { ensureBuilt } from '../../tools/build/build.ts';
import { openKeyring } from '../../tools/keyring/keyring-session.ts';
import { isPostgresMissing, startCluster } from '../../tools/postgres-harness/cluster.ts';
import { createTeam } from '../../tools/postgres-harness/shared-log.ts';
import { soakConsole } from './console-soak.ts';
import { listed } from './fault-loop.ts';
import { killAroundRefunds } from './kills.ts';
import { startRecordingGateway } from './recording-gateway.ts';
import { soakTeam } from './team-soak.ts';

/**
 * `npm run soak -- --minutes 30` uses a console with its window, and then consoles and intakes with a shared log, for half
 * of the time each, while everything around them fails at random; `npm run soak -- kills` kills a console around
 * refunds, with `--team` one of two with a shared log. Exits 1 if a guarantee was broken.
 */

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    team: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const seconds = Number(values.minutes) * 60;
if (!(seconds > 0)) throw new Error('--minutes needs a number above 0.');

const refundKills = 100;
/** From a refund's request to its callback: shorter and longer than a console needs to start again. */
const operationMs = 400;
const noPostgres = 'skipped: PostgreSQL is not installed.';

const useConsole = async (): Promise<string> => {
  const driver = drivers.find(({ available }) => available);
  if (!driver) return 'skipped: no window can be opened on this machine.';
  await ensureBuilt();
  return soakConsole(driver.name, seconds / 2);
};

const useTeam = async (): Promise<string> => {
  if (isPostgresMissing) return noPostgres;
  // The intakes are processes of the bundled program.
  await bundleWorkers({ onTestsRerun: () => undefined });
  const { callbacks, events, erased, faults, attacks, leftOut } = await soakTeam(seconds / 2);
  return `${listed(faults)}: all ${callbacks} callbacks that were answered 200 are in the shared log, ${events} events verify, each once; ${erased} erasures reached every journal; ${attacks} attacks of a hostile account changed nothing, and every console leaves out its ${leftOut} events.`;
};

const killConsoles = async (): Promise<string> => {
  if (values.team && isPostgresMissing) return noPostgres;
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-soak-'));
  const keyring = await openKeyring();
  process.env['DBUS_SESSION_BUS_ADDRESS'] = keyring.env['DBUS_SESSION_BUS_ADDRESS'];
  const cluster = values.team ? await startCluster() : null;
  const team = cluster && (await createTeam(cluster));
  const gateway = await startRecordingGateway(operationMs);
  try {
    const { kills, refunds, left, settled, contested } = await killAroundRefunds(
      folder,
      gateway,
      team,
      refundKills,
    );
    const both = team
      ? `; of the payments that both refunded at once ${contested.once} were refunded once, ${contested.never} not at all, none twice`
      : '';
    return `${kills} kills, the last step of ${refunds} refunds: ${listed(left)}${both}: none was sent twice, each is shown and refused when it is sent again, ${settled} ended by a callback.`;
  } finally {
    await gateway.close();
    await team?.close();
    await cluster?.remove();
    await keyring.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const [chosen = 'all'] = positionals;
const parts: Readonly<Record<string, Readonly<Record<string, () => Promise<string>>>>> = {
  all: { console: useConsole, team: useTeam },
  kills: { kills: killConsoles },
};
const chosenParts = parts[chosen];
if (!chosenParts) throw new Error('Without an argument: consoles in use. The only other part is "kills".');
for (const [name, work] of Object.entries(chosenParts)) {
  try {
    console.log(`${name}: ${await work()}`);
  } catch (error) {
    console.log(`${name}: BROKEN: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
// A browser that waits for the next console would keep this process running.
process.exit();
