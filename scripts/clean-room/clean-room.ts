import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRoom, removeRoom, superuser, whyNoRoom, type Account, type Outcome } from './room.ts';

/**
 * Does what a newcomer does by the README, on a bare Debian without Python, a compiler, a display, and with the
 * npm of Node 20 and of Node 22: `npm run clean-room`. It uses the current commit. See docs/build/testing.md.
 */

/** Packages of the registry: a Node, and the npm that it brings. */
const node20 = { node: '20.20.2', npm: '10.8.2' };
const node22 = { node: '22.23.3', npm: '10.9.4' };

/** Lines of the output that are printed for a failed step. */
const tailLines = 40;
/** Limit of one `npm start`, seconds. */
const startSeconds = 1_200;

const aptLine =
  'sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium fonts-liberation fonts-noto-color-emoji gnome-keyring dbus';

let passed = 0;
let failed = 0;

/** Runs a step and prints its result; a step returns what is wrong with its outcome, or null. */
const step = async (
  name: string,
  act: () => Promise<{ problem: string | null; output: string }>,
): Promise<void> => {
  const start = performance.now();
  let result;
  try {
    result = await act();
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : String(error), output: '' };
  }
  const seconds = String(Math.round((performance.now() - start) / 1000)).padStart(4);
  console.log(`${result.problem === null ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
  if (result.problem === null) passed += 1;
  else {
    failed += 1;
    console.log(`    ${result.problem}\n`);
    for (const line of result.output.trimEnd().split('\n').slice(-tailLines)) console.log(`    ${line}`);
  }
};

/** What differs from the expected end of a command: its exit code, or a text that its output must contain. */
const compare = ({ code, output }: Outcome, expectedCode: number, text: string) => ({
  output,
  problem:
    code !== expectedCode
      ? `It ended with ${String(code)}, not ${String(expectedCode)}.`
      : output.includes(text)
        ? null
        : `Its output does not contain: ${text}`,
});

const played = 'The tour is over: every step held.';

/** The steps of a newcomer in a new room. */
const playAll = async (folder: string): Promise<void> => {
  let made: Awaited<ReturnType<typeof makeRoom>> | null = null;
  await step('a bare Debian with git', async () => {
    made = await makeRoom(folder);
    return compare(made, 0, '');
  });
  const room = (made as Awaited<ReturnType<typeof makeRoom>> | null)?.room;
  if (!room) return;
  const someone = room.addAccount('someone', 1000);
  const other = room.addAccount('other', 1001);
  const { clone, commit } = room.offerRepository();
  const start = (account: Account): Promise<Outcome> =>
    room.run(account, 'cd counterfoil && npm start', startSeconds);
  const cloned = async (account: Account) =>
    compare(await room.run(account, `${clone} && git -C counterfoil rev-parse HEAD`, 60), 0, commit);

  const install = ({ node, npm }: typeof node20) =>
    step(`Node ${node} with npm ${npm}, and no Python, compiler, sudo or display`, async () => {
      room.installNode(node, npm);
      const tools = 'for tool in python3 cc gcc make sudo; do ! command -v $tool || exit 9; done';
      const line = `${tools}; test -z "$DISPLAY$WAYLAND_DISPLAY" && node --version && npm --version`;
      return compare(await room.run(superuser, line, 60), 0, `v${node}\n${npm}\n`);
    });

  await install(node20);
  await step('a user without sudo clones', () => cloned(someone));
  await step('… npm start names the missing system packages, and ends with 1', async () =>
    compare(await start(someone), 1, aptLine),
  );
  await step('root clones', () => cloned(superuser));
  await step('… npm start installs everything, and plays the tour to its end', async () =>
    compare(await start(superuser), 0, played),
  );
  await step('… which leaves the clone as it was', async () =>
    compare(await room.run(superuser, 'cd counterfoil && test -z "$(git status --porcelain)"', 60), 0, ''),
  );
  await step('the user without sudo: npm start plays the tour to its end', async () =>
    compare(await start(someone), 0, played),
  );
  await install(node22);
  await step('another user clones', () => cloned(other));
  await step('… npm start plays the tour to its end', async () => compare(await start(other), 0, played));
};

const reason = whyNoRoom();
if (reason !== null) console.log(`Skipped: the clean room, because ${reason}.`);
else {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-clean-room-'));
  process.once('exit', () => removeRoom(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  try {
    // One level deeper: everybody may enter the room, but only root its place on this machine.
    await playAll(join(folder, 'debian'));
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${error instanceof Error ? error.message : String(error)}`);
  }
  console.log(`\n${String(Math.round((performance.now() - began) / 1000))} s`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
