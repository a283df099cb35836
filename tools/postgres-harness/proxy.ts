import { connect, createServer, type Socket } from 'node:net';

/**
 * `forward`; `hold`: nothing passes, as in a cut network; `drop-answers`: what the server sends is lost; `hold-ends`: of
 * what a client sends from now on, the last five bytes are held with everything after them, which in the protocol of
 * PostgreSQL are the Sync that ends a transaction.
 */
export type ProxyMode = 'forward' | 'hold' | 'drop-answers' | 'hold-ends';

export type Proxy = Awaited<ReturnType<typeof startProxy>>;

/** Length of a Sync message. */
const syncBytes = 5;

/** A TCP proxy on this computer that can lose packets. */
export const startProxy = async (host: string, port: number) => {
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
    /** Of all connections, present and future. */
    set: (next: ProxyMode): void => {
      mode = next;
    },
    /** Nothing passes on the present connections any longer, and they stay open; new ones are forwarded. */
    forget: (): void => {
      for (const socket of sockets) forgotten.add(socket);
    },
    /** New connections go to another port from now on. */
    pointTo: (next: number): void => {
      target = next;
    },
    /** Open connections at both sides. */
    connections: (): number => sockets.size,
    /** Closes all connections. */
    cut,
    close: async (): Promise<void> => {
      cut();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
    },
  };
};
