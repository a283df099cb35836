/** Calls between the application and the harness that has its window, over the channel of a child process. */

type Message = {
  kind: 'relay';
  /** The number of a call that expects an answer. */
  call?: number;
  name?: string;
  args?: unknown[];
  /** The number of the call that this answers. */
  answer?: number;
  value?: unknown;
  error?: string;
};

type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** One end: a child process, or the process itself. */
export type Port = {
  send(message: object): void;
  listen(listener: (message: unknown) => void): void;
};

/** Written like the error of the other process. */
class RelayedError extends Error {
  override toString(): string {
    return this.message;
  }
}

const isRelayed = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === 'relay';

/**
 * Answers the other end's calls by `handlers`, and returns the function that calls its handlers. Values cross as JSON.
 * A call without an answer stays open: the other process has ended.
 */
export const connectRelay = <Other extends Handlers>(port: Port, handlers: Handlers) => {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let last = 0;

  const answer = async ({ call, name = '', args = [] }: Message): Promise<void> => {
    const send = (rest: Partial<Message>): void => port.send({ kind: 'relay', answer: call, ...rest });
    try {
      send({ value: await handlers[name]?.(...(args as never[])) });
    } catch (error) {
      send({ error: String(error) });
    }
  };
  port.listen(message => {
    if (!isRelayed(message)) return;
    if (message.answer === undefined) {
      void answer(message);
      return;
    }
    const { resolve, reject } = waiting.get(message.answer) ?? {};
    waiting.delete(message.answer);
    if (message.error === undefined) resolve?.(message.value as never);
    else reject?.(new RelayedError(message.error));
  });
  return <N extends keyof Other & string>(
    name: N,
    ...args: Parameters<Other[N]>
  ): Promise<Awaited<ReturnType<Other[N]>>> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      port.send({ kind: 'relay', call: last, name, args });
    });
};
