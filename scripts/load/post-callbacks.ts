import { connect, type Socket } from 'node:net';

/**
 * Posts bodies over persistent connections, each waiting for its response before the next; fast enough not to be the
 * bottleneck.
 */

export type Answered = { body: string; status: number; milliseconds: number };

type Options = {
  /** `http://127.0.0.1:PORT/path` */
  url: string;
  connections: number;
  /** The next body to send; null if there is none. */
  next: () => string | null;
  onAnswer: (answered: Answered) => void;
};

const statusOf = (head: string): number => Number(head.slice(9, 12));

/** Sends until no body is left, or the other side is gone. Resolves to the number of broken connections. */
export const postCallbacks = async ({ url, connections, next, onAnswer }: Options): Promise<number> => {
  const { hostname, port, pathname, host } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: `;
  /** One connection after the other: a server may close each after some requests, and announces it in its response. */
  const line = async (): Promise<boolean> => {
    for (;;) {
      const ended = await connection();
      if (ended !== 'closed') return ended === 'done';
    }
  };
  const connection = (): Promise<'done' | 'closed' | 'broken'> =>
    new Promise(resolve => {
      const socket: Socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let sent = '';
      let at = 0;
      let received = '';
      const send = (): void => {
        const body = next();
        if (body === null) {
          socket.end();
          resolve('done');
          return;
        }
        sent = body;
        at = performance.now();
        socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
      };
      socket.on('connect', send);
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        const end = received.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
        if (received.length < end + 4 + length) return;
        onAnswer({ body: sent, status: statusOf(received), milliseconds: performance.now() - at });
        if (/\r\nconnection: close\r\n/i.test(received.slice(0, end + 2))) {
          socket.destroy();
          resolve('closed');
          return;
        }
        received = '';
        send();
      });
      socket.on('error', () => resolve('broken'));
      socket.on('close', () => resolve('broken'));
    });
  const ended = await Promise.all(Array.from({ length: connections }, line));
  return ended.filter(whole => !whole).length;
};
