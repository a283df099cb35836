import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates } from 'node:tls';
import type { LogForwarding } from '../../shared/settings/log-forwarding.ts';
import { octetCounted } from './syslog-message.ts';

export type SyslogTarget = Extract<LogForwarding, { to: 'syslog' }>;

/** A way to send messages; `send` rejects if the message could not be handed to the system. */
export type Connection = {
  send(message: string): Promise<void>;
  close(): void;
  /** Calls `listener` once, when the connection is lost. */
  onLost(listener: (error: Error) => void): void;
};

/** Time limit of a connection attempt and of a write. */
const timeoutMs = 10_000;

const openUdp = async ({ host, port }: SyslogTarget): Promise<Connection> => {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  // An unreachable port is reported later, on the socket.
  socket.on('error', () => undefined);
  socket.unref();
  return {
    send: message =>
      new Promise((resolve, reject) => {
        socket.send(message, port, host, error => (error ? reject(error) : resolve()));
      }),
    close: () => socket.close(),
    onLost: () => undefined,
  };
};

/** The authorities of this computer, and Node's own; undefined: those of the build. */
const systemAuthorities = (): string[] | undefined => {
  try {
    return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  } catch {
    return undefined;
  }
};

const openStream = async (target: SyslogTarget): Promise<Connection> => {
  const { host, port, protocol, ca } = target;
  const isEncrypted = protocol === 'tls';
  const authorities = !isEncrypted
    ? undefined
    : ca === null
      ? systemAuthorities()
      : await readFile(ca, 'utf8');
  const socket: Socket = isEncrypted
    ? connectTls({
        host,
        port,
        // Its default comes from NODE_TLS_REJECT_UNAUTHORIZED in the environment.
        rejectUnauthorized: true,
        ...(authorities === undefined ? {} : { ca: authorities }),
        minVersion: 'TLSv1.2',
        ...(isIP(host) === 0 ? { servername: host } : {}),
      })
    : connectTcp({ host, port });
  socket.unref();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('ETIMEDOUT')), timeoutMs);
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once('error', error => {
      clearTimeout(timer);
      reject(error);
    });
  });
  let lost: (error: Error) => void = () => undefined;
  socket.on('error', error => lost(error));
  socket.on('close', () => lost(new Error('closed')));
  // A server that answers is not read; without this, its end would not be noticed.
  socket.resume();
  return {
    send: message =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => socket.destroy(new Error('ETIMEDOUT')), timeoutMs);
        socket.write(octetCounted(message), error => {
          clearTimeout(timer);
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () => socket.destroy(),
    onLost: listener => {
      lost = listener;
    },
  };
};

/** Connects to a syslog server. Rejects if that is impossible now. */
export const openConnection = (target: SyslogTarget): Promise<Connection> =>
  target.protocol === 'udp' ? openUdp(target) : openStream(target);
