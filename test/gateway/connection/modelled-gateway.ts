import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answering, type Seen } from '../../../tools/server-harness/test-server.ts';

/** A gateway as the interface leaves it open: what it refuses, in which words and in which order. */
export type GatewayModel = {
  merchantKey: string;
  password: string;
  digest: 'md5' | 'sha256';
  sessionPath: string;
  statusForm: 'get-json' | 'get-query' | 'post-json';
  /** When a status request's signature is checked: before the payment is looked for, only if there is one, or never. */
  checksStatusHash: 'first' | 'known-payments' | 'never';
  /** The response for a payment that does not exist. */
  unknownPayment: 'as-wrong-hash' | 'in-words' | 'http-404' | 'as-status';
  /** The response to an unknown key. */
  unknownKey: 'as-wrong-hash' | 'in-words' | 'http-401';
  /** The response to a wrong signature. */
  wrongHash: 'in-words' | 'http-401';
  /** Adds what differs from one answer to the next. */
  isNoisy: boolean;
  /** Requests that are answered before others are refused as too many, with an HTTP status; null = all. */
  limit: { requests: number; httpStatus: 403 | 429 } | null;
  /** A web page in place of the API. */
  isWebPage: boolean;
};

export const plainModel: GatewayModel = {
  merchantKey: 'merchant-key-1',
  password: 'right password',
  digest: 'md5',
  sessionPath: '/api/v1/sessions/',
  statusForm: 'get-json',
  checksStatusHash: 'first',
  unknownPayment: 'as-wrong-hash',
  unknownKey: 'as-wrong-hash',
  wrongHash: 'in-words',
  isNoisy: false,
  limit: null,
  isWebPage: false,
};

type Fields = Record<string, string | undefined>;

const readFields = ({ body, url }: Seen): Fields => {
  try {
    return JSON.parse(body) as Fields;
  } catch {
    return Object.fromEntries(new URL(url, 'http://gateway.test').searchParams);
  }
};

/** Starts a gateway by a model. `links`: the orders of the links that it issued. */
export const startModelledGateway = async (
  model: GatewayModel,
  certificate?: Parameters<typeof answering>[1],
) => {
  const links: string[] = [];
  let answered = 0;
  const hashOf = (parts: readonly unknown[]): string =>
    createHash('sha1')
      .update(
        createHash(model.digest)
          .update([...parts, model.password].join('').toUpperCase())
          .digest('hex'),
      )
      .digest('hex');

  const answerTo = (seen: Seen): { status: number; value: unknown } => {
    answered += 1;
    const trace = model.isNoisy ? { trace: `req-${answered}-${'abcdef'[answered % 6]}9` } : {};
    const refused = (text: string, status = 400) => ({
      status,
      value: {
        error_code: 0,
        errors: [{ error_message: model.isNoisy ? `${text} (request ${answered})` : text }],
        ...trace,
      },
    });
    const wrongHash = () =>
      model.wrongHash === 'http-401' ? refused('Unauthorized', 401) : refused('hash: Hash is not valid.');
    const unknownKey = () => {
      if (model.unknownKey === 'as-wrong-hash') return wrongHash();
      return model.unknownKey === 'http-401'
        ? refused('Unauthorized', 401)
        : refused('merchant_key: Merchant is unknown.');
    };
    if (model.limit !== null && answered > model.limit.requests)
      return refused('Too many requests', model.limit.httpStatus);
    const path = new URL(seen.url, 'http://gateway.test').pathname;
    const fields = readFields(seen);
    if (path === model.sessionPath && seen.method === 'POST') {
      const order = fields['order'] as unknown as Record<string, string>;
      if (fields['merchant_key'] !== model.merchantKey) return unknownKey();
      const { number = '', amount, currency, description } = order;
      if (fields['hash'] !== hashOf([number, amount, currency, description])) return wrongHash();
      links.push(number);
      return { status: 200, value: { redirect_url: `https://pay.example/${links.length}` } };
    }
    const form = seen.method === 'POST' ? 'post-json' : seen.body === '' ? 'get-query' : 'get-json';
    if (path !== '/api/v1/payment/status' || form !== model.statusForm) return refused('Not found', 404);
    if (fields['merchant_key'] !== model.merchantKey) return unknownKey();
    const asked = fields['payment_id'] ?? fields['order_id'] ?? '';
    const isKnown = links.includes(asked);
    const isChecked =
      model.checksStatusHash === 'first' || (model.checksStatusHash === 'known-payments' && isKnown);
    if (isChecked && fields['hash'] !== hashOf([asked])) return wrongHash();
    if (isKnown || model.unknownPayment === 'as-status')
      return { status: 200, value: { payment_id: 'p-1', status: 'prepare', order: { number: asked } } };
    if (model.unknownPayment === 'as-wrong-hash') return refused('hash: Hash is not valid.');
    return model.unknownPayment === 'http-404'
      ? refused('Payment not found', 404)
      : refused('Payment does not exist.');
  };

  const server = await answering((seen: Seen, response: ServerResponse) => {
    if (model.isWebPage) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Sign in</h1>');
      return;
    }
    const { status, value } = answerTo(seen);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }, certificate);
  return { ...server, links: links as readonly string[] };
};
