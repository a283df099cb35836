import { expect, test } from 'vitest';
import { sandboxArguments, type SandboxMachine } from '../../tools/build/chromium-sandbox.ts';

/** Electron from a checkout with and without Chromium's sandbox. */

const binary = '/home/ada/counterfoil/node_modules/electron/dist/electron';
const machine = (settings: Record<string, string>, more: Partial<SandboxMachine> = {}): SandboxMachine => ({
  platform: 'linux',
  userId: 1000,
  setting: path => settings[path] ?? null,
  helper: { uid: 1000, mode: 0o100755 },
  ...more,
});
const ubuntu = { 'kernel/apparmor_restrict_unprivileged_userns': '1', 'user/max_user_namespaces': '31231' };

test.each([
  ['of AppArmor, as on Ubuntu since 23.10', ubuntu, 'kernel.apparmor_restrict_unprivileged_userns is 1'],
  ['of Debian', { 'kernel/unprivileged_userns_clone': '0' }, 'kernel.unprivileged_userns_clone is 0'],
  ['of the kernel', { 'user/max_user_namespaces': '0' }, 'user.max_user_namespaces is 0'],
])(
  'without namespaces Electron starts without its sandbox and says why: a restriction %s',
  (_, settings, why) => {
    const { args, notice } = sandboxArguments(binary, machine(settings));
    expect(args).toEqual(['--no-sandbox']);
    expect(notice).toContain(why);
    expect(notice).toContain(
      "sudo chmod 4755 '/home/ada/counterfoil/node_modules/electron/dist/chrome-sandbox'",
    );
  },
);

test.each([
  ['namespaces', machine({ ...ubuntu, 'kernel/apparmor_restrict_unprivileged_userns': '0' })],
  ['a kernel that knows no restriction', machine({})],
  ['the helper as the system’s', machine(ubuntu, { helper: { uid: 0, mode: 0o104755 } })],
  ['another system', machine(ubuntu, { platform: 'darwin' })],
])('with %s Electron keeps its sandbox', (_, there) => {
  expect(sandboxArguments(binary, there)).toEqual({ args: [], notice: null });
});

test.each([
  ['a helper without its right', { uid: 0, mode: 0o100755 }],
  ['a helper of the user with the right', { uid: 1000, mode: 0o104755 }],
  ['no helper', null],
])('%s is no help where namespaces are restricted', (_, helper) => {
  expect(sandboxArguments(binary, machine(ubuntu, { helper })).args).toEqual(['--no-sandbox']);
});

test('as root, for whom Chromium has no sandbox, Electron starts without one and nothing is printed', () => {
  expect(sandboxArguments(binary, machine({}, { userId: 0 }))).toEqual({
    args: ['--no-sandbox'],
    notice: null,
  });
});
