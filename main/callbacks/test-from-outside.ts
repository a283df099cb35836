import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { OutsideStep } from '../../shared/callbacks/outside-step.ts';
import { msg, quoted, type Message } from '../../shared/messages/message.ts';

/** Calls the receiver by its public address, as a gateway would, and reports how far the call came. */

const timeoutMs = 15_000;
/** Certificate errors name the cause; other codes belong to the connection. */
const isCertificateError = (code: string): boolean => /CERT|SELF_SIGNED|ALTNAME|TLS|SSL|EPROTO/.test(code);

type Stage = 'name' | 'connect' | 'tls' | 'answer';
type Call = {
  /** The stage that failed; null if there was an answer. */
  failedAt: Stage | null;
  code: string;
  addresses: string[];
  httpStatus: number;
};

const call = (url: URL, body: string, certificates: readonly string[] | undefined): Promise<Call> =>
  new Promise(resolve => {
    let stage: Stage = 'name';
    const addresses: string[] = [];
    const ended = (failedAt: Stage | null, code: string, httpStatus = 0): void =>
      resolve({ failedAt, code, addresses, httpStatus });
    const isSecure = url.protocol === 'https:';
    const send = isSecure ? httpsRequest : httpRequest;
    const sent = send(
      url,
      {
        method: 'POST',
        agent: false,
        timeout: timeoutMs,
        // Its default comes from NODE_TLS_REJECT_UNAUTHORIZED in the environment.
        rejectUnauthorized: true,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        },
        ...(certificates ? { ca: [...certificates] } : {}),
        lookup: (host, options, done) =>
          lookup(host, { ...options, all: true }, (error, found) => {
            if (error) return done(error, []);
            addresses.push(...found.map(({ address }) => address));
            done(null, found);
          }),
      },
      (answer: IncomingMessage) => {
        answer.resume();
        answer.on('error', () => undefined);
        ended(null, '', answer.statusCode ?? 0);
      },
    );
    sent.on('socket', socket => {
      socket.on('lookup', error => {
        if (!error) stage = 'connect';
      });
      socket.on('connect', () => {
        stage = isSecure ? 'tls' : 'answer';
      });
      socket.on('secureConnect', () => {
        stage = 'answer';
      });
    });
    sent.on('timeout', () => sent.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? 'ERROR';
      if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return ended('name', code);
      ended(isSecure && isCertificateError(code) ? 'tls' : stage === 'name' ? 'connect' : stage, code);
    });
    sent.end(body);
  });

const step = (
  name: OutsideStep['step'],
  outcome: OutsideStep['outcome'],
  title: Message,
  meaning: Message,
  todo: Message | null = null,
): OutsideStep => ({ step: name, outcome, title, meaning, todo });

/** What an answer that did not come from this receiver shows. */
const notReached = (httpStatus: number): OutsideStep => {
  const title = msg('outside.reached.bad', { status: httpStatus });
  const bad = (cause: 'other' | 'path' | 'post' | 'tunnel' | 'redirect' | 'error'): OutsideStep =>
    step('reached', 'bad', title, msg(`outside.reached.${cause}.text`), msg(`outside.reached.${cause}.todo`));
  if (httpStatus >= 200 && httpStatus < 300) return bad('other');
  if (httpStatus >= 300 && httpStatus < 400) return bad('redirect');
  if (httpStatus === 404 || httpStatus === 410) return bad('path');
  if (httpStatus === 403 || httpStatus === 405) return bad('post');
  return [502, 503, 504].includes(httpStatus) ? bad('tunnel') : bad('error');
};

/**
 * `url`: the public address with the path of a profile; `body`: a form with a mark that `hasArrived` recognises.
 * The steps end at the first one that fails. `certificates`: trusted ones in place of the built-in ones.
 */
export const testFromOutside = async (
  url: URL,
  body: string,
  hasArrived: () => boolean,
  certificates?: readonly string[],
): Promise<OutsideStep[]> => {
  const { failedAt, code, addresses, httpStatus } = await call(url, body, certificates);
  const host = url.hostname;
  const steps: OutsideStep[] = [];
  if (failedAt === 'name') {
    const title = msg('outside.name.bad', { host });
    return [step('name', 'bad', title, msg('outside.name.bad.text'), msg('outside.name.bad.todo'))];
  }
  const found =
    addresses.length > 0 ? msg('outside.name.good', { host, addresses: addresses.join(', ') }) : quoted(host);
  steps.push(step('name', 'good', found, msg('outside.name.good.text')));
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (failedAt === 'connect') {
    const title = msg('outside.connect.bad', { host, port });
    const why = msg('outside.connect.bad.text', { code });
    return [...steps, step('connect', 'bad', title, why, msg('outside.connect.bad.todo'))];
  }
  steps.push(
    step('connect', 'good', msg('outside.connect.good', { host, port }), msg('outside.connect.good.text')),
  );
  if (failedAt === 'tls') {
    const why = msg('outside.tls.bad.text', { code });
    return [...steps, step('tls', 'bad', msg('outside.tls.bad'), why, msg('outside.tls.bad.todo'))];
  }
  steps.push(
    url.protocol === 'https:'
      ? step('tls', 'good', msg('outside.tls.good'), msg('outside.tls.good.text'))
      : step(
          'tls',
          'warning',
          msg('outside.tls.none'),
          msg('outside.tls.none.text'),
          msg('outside.tls.none.todo'),
        ),
  );
  if (failedAt === 'answer') {
    const why = msg('outside.answer.bad.text', { code });
    return [...steps, step('answer', 'bad', msg('outside.answer.bad'), why, msg('outside.answer.bad.todo'))];
  }
  if (!hasArrived()) return [...steps, notReached(httpStatus)];
  return [
    ...steps,
    httpStatus === 200
      ? step('reached', 'good', msg('outside.reached.good'), msg('outside.reached.good.text'))
      : step(
          'reached',
          'bad',
          msg('outside.reached.changed', { status: httpStatus }),
          msg('outside.reached.changed.text'),
          msg('outside.reached.changed.todo'),
        ),
  ];
};
