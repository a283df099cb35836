import type { NamedTest } from './test-report.ts';

/** The tests that a run may skip, by reason. Everything else has to run. */

type System = 'linux' | 'darwin' | 'win32';

/** Where the tests ran. */
type Place = {
  platform: NodeJS.Platform;
  isRoot: boolean;
  /** Whether every program that a test can use was installed before (scripts/setup.mjs). */
  isComplete: boolean;
  /** Whether an installed application was to be tested. */
  isInstalled: boolean;
};

type AllowedSkips = {
  reason: string;
  systems: readonly System[];
  /** In which places they have to run all the same. */
  unless?: (place: Place) => boolean;
  /** Of any file if left out. */
  files?: readonly string[];
  /** All tests of the files if left out. */
  title?: RegExp;
};

const all: readonly System[] = ['linux', 'darwin', 'win32'];

/** The files with tests that root alone can run. */
export const rootFiles: readonly string[] = [
  'test/app/callbacks/receiver-handlers.integration.test.ts',
  'test/app/payment-log/payment-log-maintenance.integration.test.ts',
  'test/app/settings/settings-file.integration.test.ts',
  'test/intake/intake.integration.test.ts',
  'test/packing/debian.integration.test.ts',
  'test/payment-log/failures.integration.test.ts',
  'test/policy/read-policy.test.ts',
  'test/team/interrupted-shipping.integration.test.ts',
];

export const allowedSkips: readonly AllowedSkips[] = [
  {
    reason: 'needs root: mounts a disk, adds an address, installs a package, starts sshd',
    systems: all,
    unless: ({ isRoot }) => isRoot,
    files: rootFiles,
  },
  {
    reason: 'needs Python 3, which the runner may lack',
    systems: all,
    unless: ({ isComplete }) => isComplete,
    files: ['test/sandbox/python-client.integration.test.ts'],
  },
  {
    reason: 'needs a C compiler',
    systems: all,
    unless: ({ platform, isComplete }) => isComplete && platform === 'linux',
    files: ['test/payment-log/disk/failing-disk.integration.test.ts'],
  },
  {
    reason: 'needs LibreOffice',
    systems: all,
    unless: ({ isComplete }) => isComplete,
    files: ['test/app/reports/accountant.integration.test.ts'],
    title: /^LibreOffice/,
  },
  {
    reason: 'is for an installed program, which the release workflow tests',
    systems: all,
    unless: ({ isInstalled }) => isInstalled,
    files: ['test/end-to-end/runtime/process.spec.ts'],
    title: /^an installed program/,
  },
  {
    reason: 'runs the checkout, and not the installed application',
    systems: all,
    unless: ({ isInstalled }) => !isInstalled,
    title: /^on stand-in /,
  },
  {
    reason: 'needs Electron’s runtime, which is no package',
    systems: ['linux'],
    unless: ({ isComplete }) => !isComplete,
    title: /^on electron /,
  },
  {
    reason: 'needs a second monitor',
    systems: all,
    files: ['test/end-to-end/runtime/process.spec.ts'],
    title: /^on electron .*the monitor on which it was closed$/,
  },
  {
    reason: 'needs PostgreSQL, which is installed on the runner of Linux alone',
    systems: ['darwin', 'win32'],
    title: /PostgreSQL\)/,
  },
  {
    reason: 'needs the stand-in, which runs on Linux alone',
    systems: ['darwin', 'win32'],
    title: /^(?:on stand-in|the tour) /,
  },
  {
    reason: 'is about Linux, its packages and its tools',
    systems: ['darwin', 'win32'],
    files: [
      'test/credentials/keychain.integration.test.ts',
      'test/docs/documents.integration.test.ts',
      'test/end-to-end/window/quit.spec.ts',
      'test/intake/documents.integration.test.ts',
      'test/intake/package.integration.test.ts',
      'test/load/receiver-load.integration.test.ts',
      'test/packing/debian.integration.test.ts',
      'test/packing/other-systems.integration.test.ts',
      'test/packing/packing.integration.test.ts',
      'test/set-up/set-up.integration.test.ts',
    ],
  },
  {
    reason: 'is about files, links, signals or root, which Windows has not',
    systems: ['win32'],
    files: [
      'test/app/desktop/window-limits.integration.test.ts',
      'test/app/payment-log/saved-files.integration.test.ts',
      'test/end-to-end/window/window.spec.ts',
      'test/files/replace-file.test.ts',
      'test/files/special-files.integration.test.ts',
      'test/intake/intake.integration.test.ts',
      'test/payment-log/files/replace-log.integration.test.ts',
      'test/policy/read-policy.test.ts',
      'test/set-up/ctrl-c.integration.test.ts',
    ],
  },
];

const covers = ({ files, title }: AllowedSkips, test: NamedTest): boolean =>
  (files === undefined || files.includes(test.file)) && (title === undefined || title.test(test.title));

/** The tests that were skipped and may not be skipped in this place. */
export const unexpectedSkips = (skipped: readonly NamedTest[], place: Place): NamedTest[] => {
  const allowed = allowedSkips.filter(
    ({ systems, unless }) => systems.some(system => system === place.platform) && !unless?.(place),
  );
  return skipped.filter(test => !allowed.some(one => covers(one, test)));
};
