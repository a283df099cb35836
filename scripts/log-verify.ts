import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { headFolder } from '../main/payment-log/integrity/head-files.ts';
import { verifyFile } from '../main/payment-log/worker/worker-client.ts';
import type { VerifyReport } from '../shared/contract/index.ts';
import { printable, printableJson } from './printable.ts';
import type { AppError } from '../shared/errors.ts';

/**
 * `log-verify [--json] DATABASE`: checks every chain of a payment log, rebuilds every payment from its evidence and
 * compares. Read-only; may run while the console has the log open. Exit 0 if all is correct, 1 if there are problems,
 * 2 if there is nothing to check.
 */
const usage = 'Usage: log-verify [--json] DATABASE';

const stop = (message: string): never => {
  process.stderr.write(`${printable(message)}\n${usage}\n`);
  process.exit(2);
};

const readArguments = (): { file: string; json: boolean } => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return stop('Name one database file.');
    return { file: resolve(file), json: values.json };
  } catch (thrown) {
    return stop(thrown instanceof Error ? thrown.message : 'These arguments are not understood.');
  }
};

const { file, json } = readArguments();
if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) stop(`There is no file ${file}.`);

const print = (report: VerifyReport, failure: AppError | null): void => {
  const right = failure === null && report.problems.length === 0;
  if (json) {
    process.stdout.write(`${printableJson({ file, right, ...report, failure })}\n`);
  } else {
    const lines = report.problems.map(({ kind, at, message }) => `${kind}: ${at}: ${message}`);
    if (failure) lines.push(failure.message, ...(failure.hint === undefined ? [] : [failure.hint]));
    lines.push(
      right
        ? `Right: ${report.events} events in their chain, ${report.payments} payments as their evidence has them.`
        : `WRONG: ${report.problems.length} problem(s) in ${report.events} events and ${report.payments} payments.`,
    );
    process.stdout.write(`${lines.map(printable).join('\n')}\n`);
  }
  process.exitCode = right ? 0 : 1;
};

const nothing: VerifyReport = { events: 0, payments: 0, problems: [] };
const verified = await verifyFile(file, { headFolder: headFolder(file) });
if (verified.ok) print(verified.value, null);
// A damaged file is a finding of this command; an unreadable one is an error.
else if (verified.error.code === 'log.corrupt') print(nothing, verified.error);
else stop(`${verified.error.message} ${String(verified.error.details?.['cause'] ?? '')}`);
