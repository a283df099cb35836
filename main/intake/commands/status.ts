import { msg } from '../../../shared/messages/message.ts';
import { loadConfig, type Command } from './command.ts';

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
    context.complain(msg('intake.status.not-running', { address: `${host}:${port}` }));
    return 2;
  }
};
