import { setFlagsFromString } from 'node:v8';
import type { FieldProblem } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { reportFailure, setFailureSink } from '../../app-log/failure-report.ts';
import { sharedLogSettings } from '../config/intake-config.ts';
import { readConfig } from '../config/read-config.ts';
import { readSecrets, type Secrets } from '../config/secrets.ts';
import { createIntakeLog, type IntakeLog } from '../serve/intake-log.ts';
import { startIntake, type Intake } from '../serve/intake.ts';
import {
  failureText,
  loadConfig,
  loadWithSecrets,
  refuse,
  type Command,
  type CommandContext,
} from './command.ts';
import { systemClock } from '../../clock.ts';

/** Timeout of the running intake's answer. */
const timeoutMs = 5_000;

/** A host to connect to for a host to listen on. */
const reachable = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;

/** `status`: the health of the running intake as JSON. Exit code 0: ready. 1: not ready. 2: not running. */
export const status: Command = async context => {
  const loaded = loadConfig(context);
  if (loaded === null) return 2;
  const { host, port } = loaded.config.admin;
  try {
    const answer = await fetch(`http://${reachable(host)}:${port}/readyz`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    context.print(JSON.stringify(await answer.json(), null, 2));
    return answer.ok ? 0 : 1;
  } catch {
    return refuse(context, msg('intake.status.not-running', { address: `${host}:${port}` }));
  }
};

const hideSecrets = (log: IntakeLog, { all }: Secrets): void => {
  for (const secret of all) log.addSecret(secret);
};

/** Reads secrets and certificate again. What cannot be read now stays as it was. */
const renew = async (context: CommandContext, intake: Intake, log: IntakeLog): Promise<void> => {
  const complain = (problems: readonly FieldProblem[]): void => {
    for (const { path, message } of problems)
      log.error('Secrets were not read again.', { path, problem: inEnglish(message) });
  };
  const loaded = readConfig(context.configFile, context.environment);
  if ('problems' in loaded) return complain(loaded.problems);
  const { secrets, problems } = readSecrets(loaded, context.environment);
  if (problems.length > 0) return complain(problems);
  hideSecrets(log, secrets);
  await intake.renewSecrets(secrets);
};

/**
 * V8 collects new objects on four threads. For a heap of this size waking them costs more CPU than they save, and the
 * cores are busy: an intake often shares them with PostgreSQL.
 */
const collectOnOneThread = '--no-parallel-scavenge';

/** `run`: receives callbacks until SIGTERM or SIGINT, then drains and ends. SIGHUP reads the secrets again. */
export const run: Command = async context => {
  setFlagsFromString(collectOnOneThread);
  const ready = loadWithSecrets(context);
  if (ready === null) return 2;
  const { config } = ready.loaded;
  const log = createIntakeLog(config.logLevel);
  hideSecrets(log, ready.secrets);
  setFailureSink(record => log.fail(record));
  // The evidence of every answered callback is on the disk: a new process is safer than an unknown state.
  process.on('uncaughtException', thrown => {
    reportFailure('process', 'The intake has ended unexpectedly.', thrown);
    process.exit(1);
  });
  const started = await startIntake({
    config,
    clock: systemClock,
    secrets: ready.secrets,
    log,
    version: context.version,
    database: sharedLogSettings(config, ready.secrets.database),
  });
  if (!started.ok) {
    const { code } = started.error;
    log.error('The intake could not start.', { code, reason: inEnglish(failureText(started.error)) });
    return 2;
  }
  const intake = started.value;
  log.info('The intake is ready.', {
    version: context.version,
    port: intake.port,
    adminPort: intake.adminPort,
    profiles: config.profiles.length,
    database: config.database !== null,
  });
  let renewing = Promise.resolve();
  process.on('SIGHUP', () => {
    renewing = renewing
      .then(() => renew(context, intake, log))
      .catch((thrown: unknown) => void reportFailure('background', 'Secrets were not read again.', thrown));
  });
  await new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await intake.drain();
  return 0;
};
