import { openCredentialStore } from '../../main/credentials/keychain.ts';

/**
 * One step against the keychain in a separate process: keep | read | state | forget | read-twice. Prints the result as
 * JSON.
 */
const [step = '', password = ''] = process.argv.slice(2);
const store = openCredentialStore({ service: 'Counterfoil test', timeLimit: 2_000 });

const steps: Record<string, () => Promise<unknown>> = {
  keep: () => store.set('live', password, 'keychain'),
  read: () => store.password('live'),
  state: () => store.state('live'),
  forget: () => store.remove('live'),
  'read-twice': async () => {
    const times: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const startedAt = performance.now();
      await store.password('live');
      times.push(performance.now() - startedAt);
    }
    return { times, isBusy: store.isBusy() };
  },
  'this-run': async () => {
    await store.set('live', password, 'this-run-only');
    return { state: await store.state('live'), read: await store.password('live') };
  },
};

process.stdout.write(JSON.stringify(await steps[step]?.()));
// A call that still waits would keep the process from ending.
if (store.isBusy()) process.kill(process.pid, 'SIGKILL');
process.exit(0);
