import { parseArgs } from 'node:util';
import type { AppError, FieldProblem } from '../../../shared/errors.ts';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import { joined, msg, type Message } from '../../../shared/messages/message.ts';
import { printable } from '../../../shared/messages/printable.ts';
import { installationRights, type InstallationRight } from '../../payment-log/postgres/administer.ts';
import { readConfig, type LoadedConfig } from '../config/read-config.ts';
import { readSecrets, type Secrets } from '../config/secrets.ts';

/** What every command of `counterfoil-intake` uses: its arguments, its output and its exit code. */

/** 0: done. 1: a problem was found. 2: the command could not run. */
export type ExitCode = 0 | 1 | 2;

export type CommandContext = {
  /** What follows the command's name, without options. */
  args: readonly string[];
  /** The file of `--config`; null if it was left out. */
  configFile: string | null;
  /** How the database's administrator signs in, as far as it differs from the configuration. */
  administrator: { host: string | null; port: number | null; role: string | null };
  /** Whether `verify` is about the shared log. */
  isShared: boolean;
  /** Further rights of an account; undefined if none were given. */
  may: readonly InstallationRight[] | undefined;
  environment: NodeJS.ProcessEnv;
  version: string;
  print(line: string): void;
  /** Prints a text for people on standard output. */
  explain(message: Message): void;
  /** Prints a text for people on standard error. */
  complain(message: Message): void;
  format: FormatMessage;
};

export type Command = (context: CommandContext) => Promise<ExitCode>;

/** The context of a command line; null if an option is wrong. */
export const readContext = (
  args: readonly string[],
  given: { environment: NodeJS.ProcessEnv; version: string; format: FormatMessage },
): CommandContext | null => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        language: { type: 'string' },
        host: { type: 'string' },
        port: { type: 'string' },
        role: { type: 'string' },
        shared: { type: 'boolean', default: false },
        may: { type: 'string' },
      },
    });
    const port = values.port === undefined ? null : Number(values.port);
    if (port !== null && !(Number.isInteger(port) && port > 0 && port < 65_536)) return null;
    const may = values.may?.split(',').flatMap(word => installationRights.filter(right => right === word));
    if (may?.length !== values.may?.split(',').length) return null;
    const { format } = given;
    return {
      ...given,
      args: positionals,
      configFile: values.config ?? null,
      administrator: { host: values.host ?? null, port, role: values.role ?? null },
      isShared: values.shared,
      may,
      print: line => process.stdout.write(`${line}\n`),
      explain: message => process.stdout.write(`${printable(format(message))}\n`),
      complain: message => process.stderr.write(`${printable(format(message))}\n`),
    };
  } catch {
    return null;
  }
};

/** Prints why a command could not run. */
export const refuse = (context: CommandContext, message: Message): 2 => {
  context.complain(message);
  return 2;
};

/** What has failed, and what to do. */
export const failureText = ({ message, hint }: AppError): Message => joined(message, hint ?? null);

const printProblems = (context: CommandContext, problems: readonly FieldProblem[]): void => {
  context.complain(msg('intake.config.problems', { problems: problems.length }));
  for (const { path, message } of problems)
    context.complain(msg('intake.config.problem', { path: path || '/', message }));
};

/** The configuration; null after its problems were printed. */
export const loadConfig = (context: CommandContext): LoadedConfig | null => {
  const loaded = readConfig(context.configFile, context.environment);
  if (!('problems' in loaded)) return loaded;
  printProblems(context, loaded.problems);
  return null;
};

/** The configuration with its secrets; null after the problems of both were printed. */
export const loadWithSecrets = (
  context: CommandContext,
): { loaded: LoadedConfig; secrets: Secrets } | null => {
  const loaded = loadConfig(context);
  if (loaded === null) return null;
  const { secrets, problems } = readSecrets(loaded, context.environment);
  if (problems.length === 0) return { loaded, secrets };
  printProblems(context, problems);
  return null;
};
