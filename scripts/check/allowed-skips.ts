/** The tests that a run of the workflow may skip, by reason. Everything else has to run there. */

type System = 'linux' | 'darwin' | 'win32';
/** A skipped test: its file from the root with slashes, and its titles with spaces between. */
export type SkippedTest = { file: string; title: string };

type AllowedSkips = {
  reason: string;
  systems: readonly System[];
  /** Whether root has to run them. */
  areForRoot?: true;
  /** Of any file if left out. */
  files?: readonly string[];
  /** All tests of the files if left out. */
  title?: RegExp;
};

const all: readonly System[] = ['linux', 'darwin', 'win32'];

export const allowedSkips: readonly AllowedSkips[] = [
  {
    reason: 'needs root: mounts a disk, adds an address, installs a package, starts sshd',
    systems: all,
    areForRoot: true,
    files: [
      'test/app/callbacks/receiver-handlers.integration.test.ts',
      'test/app/payment-log/payment-log-maintenance.integration.test.ts',
      'test/app/settings/settings-file.integration.test.ts',
      'test/callbacks/forwarders.integration.test.ts',
      'test/callbacks/tunnel-recipe.integration.test.ts',
      'test/intake/intake.integration.test.ts',
      'test/packing/debian.integration.test.ts',
      'test/payment-log/failures.integration.test.ts',
      'test/policy/read-policy.test.ts',
      'test/team/ship-after-journal.integration.test.ts',
    ],
  },
  {
    reason: 'needs Caddy, nginx, PHP or sshd, which the runner may lack',
    systems: all,
    files: [
      'test/callbacks/forwarders.integration.test.ts',
      'test/callbacks/tunnel-recipe.integration.test.ts',
    ],
  },
  {
    reason: 'needs Python 3, which the runner may lack',
    systems: all,
    files: ['test/sandbox/python-client.integration.test.ts'],
  },
  {
    reason: 'needs LibreOffice',
    systems: all,
    files: ['test/app/reports/accountant.integration.test.ts'],
    title: /^LibreOffice/,
  },
  {
    reason: 'is for an installed program, which the release workflow tests',
    systems: all,
    files: ['test/end-to-end/runtime/process.spec.ts'],
    title: /^an installed program/,
  },
  {
    reason: 'needs a second monitor',
    systems: all,
    files: ['test/end-to-end/runtime/desktop.spec.ts'],
    title: /^on electron/,
  },
  {
    reason: 'needs the fonts of the stored pictures',
    systems: all,
    files: ['test/end-to-end/window/visual.spec.ts'],
  },
  {
    reason: 'is about what the real runtime alone does',
    systems: all,
    files: ['test/end-to-end/runtime/desktop.spec.ts', 'test/end-to-end/runtime/process.spec.ts'],
    title: /^on stand-in/,
  },
  {
    reason: 'is about what the stand-in alone can simulate',
    systems: all,
    files: [
      'test/end-to-end/window/bridge.spec.ts',
      'test/end-to-end/window/faults.spec.ts',
      'test/end-to-end/window/window.spec.ts',
    ],
    title: /^on electron/,
  },
  {
    reason: 'is done by the first file of screens',
    systems: all,
    files: ['test/end-to-end/screens/every-further-screen.spec.ts'],
    title:
      /(?:is whole at 200 %|contrast theme|landmarks and headings in order|written from right to left, and data is not)$/,
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
      'test/callbacks/tunnel-recipe.integration.test.ts',
      'test/credentials/keychain.integration.test.ts',
      'test/docs/documents.integration.test.ts',
      'test/end-to-end/window/quit.spec.ts',
      'test/intake/documents.integration.test.ts',
      'test/intake/package.integration.test.ts',
      'test/load/receiver-load.integration.test.ts',
      'test/packing/debian.integration.test.ts',
      'test/packing/installer.integration.test.ts',
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

const covers = ({ files, title }: AllowedSkips, test: SkippedTest): boolean =>
  (files === undefined || files.includes(test.file)) && (title === undefined || title.test(test.title));

/** The tests that were skipped and may not be skipped on this system by this user. */
export const unexpectedSkips = (
  skipped: readonly SkippedTest[],
  { platform, isRoot }: { platform: NodeJS.Platform; isRoot: boolean },
): SkippedTest[] => {
  const allowed = allowedSkips.filter(
    ({ systems, areForRoot }) => systems.some(system => system === platform) && !(isRoot && areForRoot),
  );
  return skipped.filter(test => !allowed.some(one => covers(one, test)));
};
