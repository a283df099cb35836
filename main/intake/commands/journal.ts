import { existsSync } from 'node:fs';
import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { msg } from '../../../shared/messages/message.ts';
import { printable } from '../../../shared/messages/printable.ts';
import { placeInWords } from '../../../shared/messages/problem-place.ts';
import { headFolder } from '../../payment-log/heads/head-files.ts';
import { copyFile, verifyFile } from '../../payment-log/sqlite/worker/worker-client.ts';
import { askToErase } from '../serve/control.ts';
import { installationOf, journalFile } from '../serve/installation.ts';
import { openPaymentLog } from '../../payment-log/list/open-payment-log.ts';
import { openSharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import { sharedLogSettings } from '../config/intake-config.ts';
import {
  failureText,
  loadConfig,
  loadWithSecrets,
  refuse,
  type Command,
  type CommandContext,
  type ExitCode,
} from './command.ts';

/** Commands about the journal: `verify`, `backup` and `erase`. */

/** Prints the result of a verification: one line for each problem, and the sum. */
const printReport = (context: CommandContext, { events, payments, problems }: VerifyReport): ExitCode => {
  const { format } = context;
  for (const { kind, at, message } of problems)
    context.print(printable(`${kind}: ${format(placeInWords(at))}: ${format(message)}`));
  context.explain(
    problems.length === 0
      ? msg('log-verify.right', { events, payments })
      : msg('log-verify.wrong', { problems: problems.length, events, payments }),
  );
  return problems.length === 0 ? 0 : 1;
};

/** The journal's file; null after its absence was printed. */
const existingJournal = (context: CommandContext): string | null => {
  const loaded = loadConfig(context);
  if (loaded === null) return null;
  const file = journalFile(loaded.config.state);
  if (existsSync(file)) return file;
  context.complain(msg('log-verify.file-missing', { file }));
  return null;
};

/** Checks every chain of the shared log with the intake's account. */
const verifyShared = async (context: CommandContext): Promise<ExitCode> => {
  const ready = loadWithSecrets(context);
  if (ready === null) return 2;
  const settings = sharedLogSettings(ready.loaded.config, ready.secrets.database);
  if (settings === null) return refuse(context, msg('intake.database.none'));
  const opened = openSharedLog(settings);
  const report = opened.ok ? await opened.value.verify() : opened;
  if (opened.ok) await opened.value.close();
  return report.ok ? printReport(context, report.value) : refuse(context, failureText(report.error));
};

/** `verify`: checks the journal's chains, signed heads and payments. May run beside the intake. */
export const verify: Command = async context => {
  if (context.isShared) return verifyShared(context);
  const file = existingJournal(context);
  if (file === null) return 2;
  const report = await verifyFile(file, { headFolder: headFolder(file) });
  if (report.ok) return printReport(context, report.value);
  context.complain(failureText(report.error));
  return report.error.code === 'log.corrupt' ? 1 : 2;
};

/** `backup FILE`: copies the journal into a new file, while the intake runs or not. */
export const backup: Command = async context => {
  const [copy, ...more] = context.args;
  if (copy === undefined || more.length > 0)
    return refuse(context, msg('intake.backup.usage', { syntax: 'counterfoil-intake backup FILE' }));
  const file = existingJournal(context);
  if (file === null) return 2;
  if (existsSync(copy)) return refuse(context, msg('intake.backup.exists', { file: copy }));
  const copied = await copyFile(file, copy);
  if (!copied.ok) {
    context.complain(failureText(copied.error));
    return 1;
  }
  context.explain(msg('intake.backup.done', { file: copy, bytes: copied.value.bytes }));
  return 0;
};

/** Erases in a journal that no process writes. */
const eraseAlone = async (
  context: CommandContext,
  state: string,
  { profileId, orderNumber }: { profileId: string; orderNumber: string },
): Promise<{ payments: number } | 'failed'> => {
  const opened = await openPaymentLog({
    file: journalFile(state),
    writer: installationOf(state),
    hasList: false,
  });
  if (!opened.ok) {
    context.complain(failureText(opened.error));
    return 'failed';
  }
  const erased = await opened.value.erase({
    reason: 'request',
    agent: 'console',
    profileId,
    orderNumbers: [orderNumber],
  });
  await opened.value.close();
  return erased.ok ? erased.value : 'failed';
};

/** `erase PROFILE ORDER`: erases the personal data of an order. The running intake does it, if there is one. */
export const erase: Command = async context => {
  const [profileId, orderNumber, ...more] = context.args;
  if (profileId === undefined || orderNumber === undefined || more.length > 0)
    return refuse(context, msg('intake.erase.usage', { syntax: 'counterfoil-intake erase PROFILE ORDER' }));
  const loaded = loadConfig(context);
  if (loaded === null) return 2;
  const { state } = loaded.config;
  const order = { profileId, orderNumber };
  const asked = await askToErase(state, order);
  const done =
    asked !== 'not-running'
      ? asked
      : existsSync(journalFile(state))
        ? await eraseAlone(context, state, order)
        : { payments: 0 };
  if (done === 'failed') return refuse(context, msg('intake.erase.failed'));
  context.explain(msg('intake.erase.done', { payments: done.payments }));
  return done.payments > 0 ? 0 : 1;
};
