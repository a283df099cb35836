import { connect, createServer, type Socket } from 'node:net';

/** `forward`; `hold`: nothing passes, as in a cut network; `drop-answers`: what the server sends is lost. */
export type ProxyMode = 'forward' | 'hold' | 'drop-answers';

export type Proxy = {
  port: number;
  /** Of all connections, present and future. */
  set(mode: ProxyMode): void;
  /** New connections go to another port from now on. */
  pointTo(port: number): void;
  /** Closes all connections. */
  cut(): void;
  close(): Promise<void>;
};

/** A TCP proxy on this computer that can lose packets. */
export const startProxy = async (host: string, port: number): Promise<Proxy> => {
  let mode: ProxyMode = 'forward';
  let target = port;
  const sockets = new Set<Socket>();
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
        if (mode === 'forward') other.destroy();
      });
      socket.on('data', data => {
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
    pointTo: next => {
      target = next;
    },
    cut,
    close: async () => {
      cut();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
    },
  };
};
