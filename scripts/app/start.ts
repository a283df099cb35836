import { spawn } from 'node:child_process';
import { build, isBuilt } from '../../tools/build/build.ts';
import { chooseHost, ensureSystem, hasDisplay } from '../../tools/build/host.ts';

/** Builds outdated bundles, and opens Counterfoil: `npm start`. Arguments go to the application. */

if (!isBuilt()) {
  console.log('Building Counterfoil…');
  if (!(await build())) process.exit(1);
}
if (!hasDisplay()) {
  console.log('There is no display here, so Counterfoil plays its tour instead of opening a window.\n');
  if (!ensureSystem('browser', 'keyring')) process.exit(1);
  await import('./tour.ts');
} else {
  const host = await chooseHost();
  if (!host) process.exit(1);
  console.log(host.description);
  const child = spawn(host.command, [...host.args, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.on('close', code => {
    process.exitCode = code ?? 1;
  });
}
