import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { openCredentialStore } from '../../main/credentials/keychain.ts';
import { restartKeyring } from '../../tools/keyring/keyring-session.ts';

/**
 * One step against the keychain in a separate process, a key of `steps`. Prints the result as JSON.
 */
const [step = '', password = ''] = process.argv.slice(2);
const service = 'Counterfoil test';
const store = openCredentialStore({ service, timeLimit: 2_000 });

const steps: Record<string, () => Promise<unknown>> = {
  keep: () => store.set('live', password, 'keychain'),
  read: () => store.password('live'),
  state: () => store.state('live'),
  forget: () => store.remove('live'),
  'read-twice': async () => {
    const refusals: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const prompting = openCredentialStore({ service, timeLimit: 50 });
      const startedAt = performance.now();
      await prompting.password('live');
      const waited = performance.now() - startedAt > 40 ? 'waited' : 'did not wait';
      const further = await Promise.race([
        prompting.password('live').then(result => (result.ok ? 'read' : result.error.code)),
        setImmediate('waits'),
      ]);
      refusals.push(`${waited}, ${further}, ${prompting.isBusy() ? 'busy' : 'idle'}`);
    }
    return [...new Set(refusals)];
  },
  /** The files and connections that a hundred readings leave open. */
  'read-often': async () => {
    const handles = (): number => readdirSync('/proc/self/fd').length;
    await store.password('live');
    const before = handles();
    for (let round = 0; round < 100; round += 1) await store.password('live');
    return handles() - before;
  },
  'restart-keyring': async () => {
    const before = await store.password('live');
    execFileSync('sh', ['-c', restartKeyring]);
    return [before, await store.password('live'), await store.set('live', password, 'keychain')];
  },
  'this-run': async () => {
    await store.set('live', password, 'this-run-only');
    return { state: await store.state('live'), read: await store.password('live') };
  },
};

process.stdout.write(JSON.stringify(await steps[step]?.()));
// A call that still waits would keep the process from ending.
if (store.isBusy() || step === 'read-twice') process.kill(process.pid, 'SIGKILL');
process.exit(0);
