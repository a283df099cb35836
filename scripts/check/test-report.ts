import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import * as z from 'zod';

/** What Vitest reports of a run, and what follows from it. */

const fileSchema = z.object({
  name: z.string(),
  message: z.string(),
  status: z.string(),
  assertionResults: z.array(
    z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
  ),
});
export const reportSchema = z.object({ testResults: z.array(fileSchema) });
export type Report = z.infer<typeof reportSchema>;
export type FileReport = z.infer<typeof fileSchema>;

/** A test by its file, from the root with slashes, and its titles with spaces between. */
export type NamedTest = { file: string; title: string };

export const pathOf = ({ name }: FileReport): string => relative(process.cwd(), name).replaceAll('\\', '/');

const isSkipped = (status: string): boolean => status !== 'passed' && status !== 'failed';

export const skippedTests = ({ testResults }: Report): NamedTest[] =>
  testResults.flatMap(file =>
    file.assertionResults
      .filter(({ status }) => isSkipped(status))
      .map(({ fullName }) => ({ file: pathOf(file), title: fullName })),
  );

/** Minutes of one processor for all of `npm test`; but not less than its longest files take. */
const processorMinutes = 45;
const leastMinutes = 8;

/** What `npm test` says first. */
export const expectedTime = (processors: number): string => {
  const minutes = Math.max(leastMinutes, Math.round(processorMinutes / processors));
  return `Every check and test: about ${String(minutes)} minutes on ${String(processors)} processors. One folder or file: npm test -- test/PATH`;
};

/** The skipped tests: one line for each group of a file, with its number. */
export const skippedLines = (skipped: readonly NamedTest[]): string[] => {
  const groups = new Map<string, number>();
  for (const { file, title } of skipped) {
    const group = `${file}: ${title.split(' ').slice(0, 2).join(' ')} …`;
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return [...groups].map(([group, number]) => `${group} (${String(number)})`);
};

/** What failed in a file: its tests, or the file itself if none was reached; with the start of the reason. */
export const failuresOf = (file: FileReport): { title: string; reason: string }[] => {
  const failed = file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      title: fullName,
      reason: shortly(failureMessages.join('\n')),
    }));
  if (failed.length > 0 || file.status !== 'failed') return failed;
  return [{ title: 'the file itself', reason: shortly(file.message) }];
};

const shortly = (text: string): string =>
  text
    .split('\n')
    .slice(0, 12)
    .map(line => `    ${line.slice(0, 300)}`)
    .join('\n');

/** The numbers of a run. */
export const countsOf = (report: Report): { passed: number; failed: number; skipped: number } => ({
  passed: report.testResults.flatMap(file => file.assertionResults.filter(test => test.status === 'passed'))
    .length,
  failed: report.testResults.flatMap(failuresOf).length,
  skipped: skippedTests(report).length,
});

/** More unstable files than these are a failure. */
const maxUnstable = 3;

/**
 * The report after each failed file has been run once more alone: `again` runs it, and resolves to null if it cannot
 * be read. `unstable`: the files that failed first and passed then, as they failed.
 */
export const afterRepeating = async (
  report: Report,
  again: (file: string) => Promise<FileReport | null>,
): Promise<{ report: Report; unstable: FileReport[] }> => {
  const failed = report.testResults.filter(file => failuresOf(file).length > 0);
  // With more of them the run fails in any case.
  if (failed.length > maxUnstable) return { report, unstable: [] };
  const repeated = new Map<FileReport, FileReport>();
  for (const file of failed) {
    const second = await again(file.name);
    if (second !== null && failuresOf(second).length === 0) repeated.set(file, second);
  }
  return {
    report: { testResults: report.testResults.map(file => repeated.get(file) ?? file) },
    unstable: [...repeated.keys()],
  };
};

/** The variables that name an installed application, and how the titles of its tests begin. */
const installedParts = { COUNTERFOIL_ARCHIVE: 'on electron ', COUNTERFOIL_PROGRAM: 'an installed program ' };

export const hasInstalled = (env: NodeJS.ProcessEnv): boolean =>
  Object.keys(installedParts).some(variable => env[variable] !== undefined);

/** Why a run proves nothing; a step that is green by its exit code alone must not be. */
export const missingProofs = (report: Report, env: NodeJS.ProcessEnv): string[] => {
  const passed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed');
  const { failed } = countsOf(report);
  const missing = passed.length + failed === 0 ? ['No test ran.'] : [];
  for (const [variable, prefix] of Object.entries(installedParts)) {
    const path = env[variable];
    if (path === undefined) continue;
    if (!existsSync(path)) missing.push(`${variable} names nothing that exists: "${path}".`);
    if (!passed.some(({ fullName }) => fullName.startsWith(prefix)))
      missing.push(`${variable} is set, and no test "${prefix}…" passed.`);
  }
  return missing;
};
