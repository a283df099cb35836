import { connect, createServer, type Socket } from 'node:net';

/**
 * `forward`; `hold`: nothing passes, as in a cut network; `drop-answers`: what the server sends is lost; `hold-ends`: of
 * what a client sends from now on, the last five bytes are held with everything after them, which in the protocol of
 * PostgreSQL are the Sync that ends a transaction.
 */
export type ProxyMode = 'forward' | 'hold' | 'drop-answers' | 'hold-ends';

export type Proxy = {
  port: number;
  /** Of all connections, present and future. */
  set(mode: ProxyMode): void;
  /** Nothing passes on the present connections any longer, and they stay open; new ones are forwarded. */
  forget(): void;
  /** New connections go to another port from now on. */
  pointTo(port: number): void;
  /** Open connections at both sides. */
  connections(): number;
  /** Closes all connections. */
  cut(): void;
  close(): Promise<void>;
};

/** Length of a Sync message. */
const syncBytes = 5;

/** A TCP proxy on this computer that can lose packets. */
export const startProxy = async (host: string, port: number): Promise<Proxy> => {
  let mode: ProxyMode = 'forward';
  let target = port;
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  const server = createServer(client => {
    const upstream = connect(target, host);
    for (const [socket, other, direction] of [
      [client, upstream, 'request'],
      [upstream, client, 'answer'],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        if (mode === 'forward' && !forgotten.has(socket)) other.destroy();
      });
      socket.on('data', data => {
        if (forgotten.has(socket)) return;
        if (mode === 'hold-ends' && direction === 'request') {
          forgotten.add(client).add(upstream);
          other.write(data.subarray(0, -syncBytes));
          return;
        }
        if (mode === 'forward' || (mode === 'drop-answers' && direction === 'request')) other.write(data);
      });
    }
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    set: next => {
      mode = next;
    },
    forget: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
    pointTo: next => {
      target = next;
    },
    connections: () => sockets.size,
    cut,
    close: async () => {
      cut();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
    },
  };
};
