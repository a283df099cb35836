import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import type { SandboxDelivery, SandboxOptions } from '../../main/sandbox/sandbox.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';

/** A shop for the tests: it signs requests, receives callbacks over real HTTP and acts as the payer. */

export const key = 'shop-key';
export const password = 'm3rch4ntP4ss';

const hex = (algorithm: string, text: string): string =>
  createHash(algorithm).update(text, 'utf8').digest('hex');
/** Repeated here on purpose, so that the sandbox is not compared with itself. */
export const sign = (parts: readonly string[], inner = 'md5'): string =>
  hex('sha1', hex(inner, parts.join('').toUpperCase()));

export type Order = { number: string; amount: string; currency: string; description: string };
export const order = (changes: Partial<Order> = {}): Order => ({
  number: 'order-1234',
  amount: '10.00',
  currency: 'USD',
  description: 'Important gift',
  ...changes,
});

export const sessionBody = (
  of: Order = order(),
  extra: Record<string, unknown> = {},
): Record<string, unknown> => ({
  merchant_key: key,
  operation: 'purchase',
  methods: ['card'],
  order: of,
  cancel_url: 'https://shop.example/cancelled',
  success_url: 'https://shop.example/thanks?order=1234',
  hash: sign([of.number, of.amount, of.currency, of.description, password]),
  ...extra,
});

type Asked = { status: number; headers: Record<string, string>; text: string; json: unknown };

/** One request over a separate connection; GET may carry a body, which fetch forbids. */
export const ask = (url: string, method: string, body?: unknown, type = 'application/json'): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const request = httpRequest(url, {
      method,
      agent: false,
      headers: text === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) },
    });
    request.once('error', reject);
    request.once('response', answer => {
      let read = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (read += chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        let json: unknown;
        try {
          json = JSON.parse(read);
        } catch {
          json = undefined;
        }
        const headers = Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
        );
        resolve({ status: answer.statusCode ?? 0, headers, text: read, json });
      });
    });
    request.end(text);
  });

/** A list with promises for its next items. */
export class Arrivals<T> {
  readonly items: T[] = [];
  private readonly bell = new EventEmitter();
  add(item: T): void {
    this.items.push(item);
    this.bell.emit('added');
  }
  /** Resolves when `test` is true for the items so far. */
  async until(test: (items: readonly T[]) => boolean): Promise<readonly T[]> {
    while (!test(this.items)) await once(this.bell, 'added');
    return this.items;
  }
  atLeast(count: number): Promise<readonly T[]> {
    return this.until(items => items.length >= count);
  }
}

export type Received = {
  method: string;
  path: string;
  fields: Map<string, string>;
  /** `type/status` */
  event: string;
  /** Whether the hash verifies by §5.3. */
  holds: boolean;
};

export const holds = (fields: ReadonlyMap<string, string>, inner = 'md5'): boolean => {
  const signed = ['id', 'order_number', 'order_amount', 'order_currency', 'order_description'];
  return fields.get('hash') === sign([...signed.map(name => fields.get(name) ?? ''), password], inner);
};

export type Shop = Awaited<ReturnType<typeof openShop>>;

export const openShop = async (options: Partial<SandboxOptions> = {}) => {
  const received = new Arrivals<Received>();
  const deliveries = new Arrivals<SandboxDelivery>();
  const requests = new Arrivals<string>();
  /** The receiver's answer to a callback; null = no answer. */
  let answer: (callback: Received, earlier: number) => number | null = () => 200;
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      const fields = new Map(new URLSearchParams(body));
      const callback = {
        method: request.method ?? '',
        path: request.url ?? '',
        fields,
        event: `${fields.get('type')}/${fields.get('status')}`,
        holds: holds(fields, options.digest),
      };
      const status = answer(callback, received.items.length);
      received.add(callback);
      if (status !== null) response.writeHead(status).end('OK');
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const receiverUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/callbacks`;
  const sandbox = await startSandbox({
    port: 0,
    merchantKey: key,
    merchantPassword: password,
    callbackUrl: receiverUrl,
    retryIntervals: [1, 2, 3],
    operationDelayMs: 0,
    onDelivery: delivery => deliveries.add(delivery),
    onRequest: line => requests.add(line),
    ...options,
  });
  onTestFinished(async () => {
    await sandbox.close();
    receiver.closeAllConnections();
    await new Promise(resolve => receiver.close(resolve));
  });

  const sessions = `${sandbox.baseUrl}/api/v1/sessions/`;
  const status = `${sandbox.baseUrl}/api/v1/payment/status`;
  const raise = async (of: Order = order(), extra: Record<string, unknown> = {}): Promise<string> => {
    const answered = await ask(sessions, 'POST', sessionBody(of, extra));
    const { redirect_url: link } = answered.json as { redirect_url?: string };
    if (link === undefined) throw new Error(`No link: ${answered.text}`);
    return link;
  };
  const postForm = (url: string, fields: Record<string, string>) =>
    ask(url, 'POST', new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');

  const byPayment = (id: string) =>
    ask(status, 'GET', { merchant_key: key, payment_id: id, hash: sign([id, password]) });
  const byOrder = (number: string) =>
    ask(status, 'POST', { merchant_key: key, order_id: number, hash: sign([number, password]) });
  /** Presses a scenario's button and follows the redirect to the next page. */
  const play = async (link: string, scenario: string, reason = '') => {
    const answered = await postForm(link, { scenario, reason });
    return ask(new URL(answered.headers['location'] ?? '', link).href, 'GET');
  };

  return {
    sandbox,
    received,
    deliveries,
    requests,
    receiverUrl,
    sessions,
    status,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    raise,
    postForm,
    play,
    /** Creates and pays a link; resolves to the payment id. */
    pay: async (of: Order = order(), extra: Record<string, unknown> = {}, scenario = 'pay') => {
      await play(await raise(of, extra), scenario);
      return ((await byOrder(of.number)).json as { payment_id: string }).payment_id;
    },
    byOrder,
    byPayment,
    statusOf: async (id: string): Promise<string> =>
      ((await byPayment(id)).json as { status: string }).status,
    /** Requests an operation; `parts` are signed. */
    operate: (operation: string, fields: Record<string, unknown>, parts: readonly string[]) =>
      ask(`${sandbox.baseUrl}/api/v1/payment/${operation}`, 'POST', {
        merchant_key: key,
        hash: sign([...parts, password], options.digest),
        ...fields,
      }),
    events: () => received.items.map(({ event }) => event),
  };
};

/** The codes of a refusal. */
export const codes = (answer: { json: unknown }): number[] =>
  (answer.json as { errors: { error_code: number }[] }).errors.map(({ error_code: code }) => code);

/** The texts of a refusal: `path: text`. */
export const problems = (answer: { json: unknown }): string[] =>
  (answer.json as { errors: { error_message: string }[] }).errors.map(({ error_message }) => error_message);
