import {
  commandFormatter,
  isKnownLanguage,
  languageChoices,
} from '../../shared/messages/command-language.ts';
import { msg } from '../../shared/messages/message.ts';
import {
  addConsole,
  addIntake,
  grant,
  init,
  installations,
  renew,
  retention,
  revoke,
} from './commands/database-commands.ts';
import { check } from './commands/check.ts';
import { readContext, type Command, type ExitCode } from './commands/command.ts';
import { backup, erase, verify } from './commands/journal.ts';
import { run, status } from './commands/run.ts';

/** `counterfoil-intake COMMAND`: receives callbacks without a window, for one installation or several. */

/** Set by the build. */
declare const INTAKE_VERSION: string;

const commands: Readonly<Record<string, Command>> = {
  run,
  check,
  status,
  verify,
  backup,
  erase,
  init,
  'add-console': addConsole,
  'add-intake': addIntake,
  grant,
  renew,
  revoke,
  retention,
  installations,
};

const usage = `counterfoil-intake COMMAND [--config FILE] [--language en|de]

  run                  receive callbacks until SIGTERM
  check                check the configuration and print every problem
  status               health of the running intake, as JSON
  verify [--shared]    check the journal, or every chain of the shared payment log
  backup FILE          save a backup of the journal, while the intake runs or not
  erase PROFILE ORDER  erase the personal data of an order
  --version            print the version

For the database administrator, with [--host HOST] [--port N] [--role ROLE] and PGPASSWORD:

  init                 create the shared payment log in the database, or restore its roles and rights
  add-console LABEL    add an installation of Counterfoil; prints its join code
  add-intake LABEL     add an intake; prints its role and password
  grant ROLE           give an account the rights of --may
  renew ROLE           give an account a new password, also one that was closed; prints as add-console
  revoke ROLE          close the account of an installation or an intake
  retention DAYS       erase the personal data of all installations after DAYS, or "never"
  installations        print every account as JSON, with what its journal has to erase

  --may RIGHTS         of add-console, add-intake and grant: admin, eraser, keeper; with commas between`;

const main = async (): Promise<ExitCode> => {
  // Every file of a journal and its copies is private, in a folder with wider rights too.
  process.umask(0o077);
  const args = process.argv.slice(2);
  if (args.includes('--version')) {
    process.stdout.write(`${INTAKE_VERSION}\n`);
    return 0;
  }
  const format = commandFormatter(args, process.env);
  const context = readContext(args, { environment: process.env, version: INTAKE_VERSION, format });
  const complain = (message: Parameters<typeof format>[0]): ExitCode => {
    process.stderr.write(`${format(message)}\n${usage}\n`);
    return 2;
  };
  if (context === null) return complain(msg('command.wrong-option'));
  const language = args.findLast(arg => arg.startsWith('--language='))?.slice('--language='.length);
  if (!isKnownLanguage(language))
    return complain(msg('command.language-unknown', { languages: languageChoices }));
  const [name, ...rest] = context.args;
  if (name === undefined) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command ? command({ ...context, args: rest }) : complain(msg('intake.command-unknown', { name }));
};

process.exitCode = await main();
