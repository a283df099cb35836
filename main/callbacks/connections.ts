import type { Socket } from 'node:net';

/** Tracks a listener's connections and chooses which one to drop above a limit. */

type Connection = {
  socket: Socket;
  address: string;
  /** Requests being answered; such a connection is never dropped. */
  busy: number;
};

export type ConnectionLimits = {
  connections: number;
  /** Limit of connections per remote address; a proxy on this PC is exempt, because every delivery uses it. */
  perAddress: number;
};

const isLoopback = (address: string): boolean =>
  address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');

/** The same key for a plain socket and the TLS socket above it. */
const keyOf = (socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${socket.remoteAddress ?? ''} ${socket.remotePort ?? ''}`;

/** A listener's connections; above a limit the one with the longest idle time is dropped. */
export class Connections {
  /** Longest idle first: a connection moves to the end after each response. */
  readonly #open = new Map<string, Connection>();
  readonly #ofAddress = new Map<string, number>();
  readonly #limits: ConnectionLimits;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  add(socket: Socket): void {
    const key = keyOf(socket);
    const address = socket.remoteAddress ?? '';
    this.#open.set(key, { socket, address, busy: 0 });
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
    socket.once('close', () => this.#remove(key, socket));
    if (!isLoopback(address) && (this.#ofAddress.get(address) ?? 0) > this.#limits.perAddress)
      this.#dropIdlest(address);
    if (this.#open.size > this.#limits.connections) this.#dropIdlest(null);
  }

  /** A complete request has arrived on this connection. */
  begin(socket: Socket): void {
    const connection = this.#open.get(keyOf(socket));
    if (connection) connection.busy += 1;
  }

  /** The request was answered. */
  end(socket: Socket): void {
    const key = keyOf(socket);
    const connection = this.#open.get(key);
    if (!connection) return;
    connection.busy -= 1;
    this.#open.delete(key);
    this.#open.set(key, connection);
  }

  destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #remove(key: string, socket: Socket): void {
    const connection = this.#open.get(key);
    if (connection?.socket !== socket) return;
    this.#open.delete(key);
    const left = (this.#ofAddress.get(connection.address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(connection.address, left);
    else this.#ofAddress.delete(connection.address);
  }

  /** Drops the connection with the longest idle time, of one address or of all (null). */
  #dropIdlest(address: string | null): void {
    for (const [key, connection] of this.#open) {
      if (connection.busy > 0 || (address !== null && connection.address !== address)) continue;
      this.#remove(key, connection.socket);
      connection.socket.destroy();
      return;
    }
  }
}
