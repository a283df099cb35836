import { openCredentialStore } from '../../main/credentials/keychain.ts';

/**
 * One step against the keychain in a separate process: keep | read | state | forget. Prints the result as
 * JSON.
 */
const [step = '', password = ''] = process.argv.slice(2);
const store = openCredentialStore({ service: 'Counterfoil test', timeLimit: 5_000 });

const steps: Record<string, () => Promise<unknown>> = {
  keep: () => store.set('live', password, 'keychain'),
  read: () => store.password('live'),
  state: () => store.state('live'),
  forget: () => store.remove('live'),
  'this-run': async () => {
    await store.set('live', password, 'this-run-only');
    return { state: await store.state('live'), read: await store.password('live') };
  },
};

process.stdout.write(JSON.stringify(await steps[step]?.()));
process.exit(0);
