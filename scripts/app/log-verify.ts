import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { headFolder } from '../../main/payment-log/heads/head-files.ts';
import { verifyFile } from '../../main/payment-log/sqlite/worker/worker-client.ts';
import type { VerifyReport } from '../../shared/contract/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { joined, msg, quoted } from '../../shared/messages/message.ts';
import { placeInWords } from '../../shared/messages/problem-place.ts';
import { startCommand } from '../commands/command.ts';
import { printable, printableJson } from '../../shared/messages/printable.ts';

/**
 * `log-verify [--json] [--language en|de] DATABASE`: checks every chain of a payment log, rebuilds every
 * payment from its evidence and compares. Read-only; may run while the console has the log open. Exit 0 if all is correct, 1 if there are problems, 2 if there is nothing to check.
 */
const { format, stop, readArguments } = startCommand(
  msg('log-verify.usage', { syntax: 'log-verify [--json] [--language en|de] DATABASE' }),
);

const { values, positionals } = readArguments({ json: { type: 'boolean', default: false } });
const [given, ...more] = positionals;
const file = given === undefined || more.length > 0 ? stop(msg('log-verify.no-file')) : resolve(given);
if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
  stop(msg('log-verify.file-missing', { file }));

const print = ({ events, payments, problems }: VerifyReport, failure: AppError | null): void => {
  const right = failure === null && problems.length === 0;
  const hint = failure?.hint;
  if (values.json) {
    const texts = failure && { message: format(failure.message), ...(hint && { hint: format(hint) }) };
    process.stdout.write(
      `${printableJson({
        file,
        right,
        events,
        payments,
        problems: problems.map(({ kind, at, message }) => ({
          kind,
          at: format(placeInWords(at)),
          message: format(message),
        })),
        failure: failure && { ...failure, ...texts },
      })}\n`,
    );
  } else {
    const lines = problems.map(
      ({ kind, at, message }) => `${kind}: ${format(placeInWords(at))}: ${format(message)}`,
    );
    if (failure) lines.push(format(failure.message), ...(hint ? [format(hint)] : []));
    lines.push(
      format(
        right
          ? msg('log-verify.right', { events, payments })
          : msg('log-verify.wrong', { problems: problems.length, events, payments }),
      ),
    );
    process.stdout.write(`${lines.map(printable).join('\n')}\n`);
  }
  process.exitCode = right ? 0 : 1;
};

const verified = await verifyFile(file, { headFolder: headFolder(file) });
if (verified.ok) print(verified.value, null);
// A damaged file is a finding of this command; an unreadable one is an error.
else if (verified.error.code === 'log.corrupt')
  print({ events: 0, payments: 0, problems: [] }, verified.error);
else {
  const { message, details } = verified.error;
  const cause = details?.['cause'];
  stop(joined(message, cause === undefined ? null : quoted(String(cause))));
}
