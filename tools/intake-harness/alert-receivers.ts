import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A web server and a mail server that receive an intake's alerts. */

export type Posted = { body: string; signature: string };
export type WebReceiver = { url: string; received: Posted[]; close: () => Promise<void> };

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

/**
 * `respond`: to the message of this number, from 1. Its path comes once: its port may come again, and what is sent to
 * the server that had it before is not counted.
 */
export const startWebReceiver = async (
  respond: (response: ServerResponse, count: number) => void = response => void response.writeHead(204).end(),
): Promise<WebReceiver> => {
  const received: Posted[] = [];
  const path = `/alerts/${randomUUID()}`;
  const server = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    void bodyOf(request).then(body => {
      received.push({ body, signature: String(request.headers['counterfoil-signature']) });
      respond(response, received.length);
    });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export type Mail = { to: string[]; text: string };
export type MailReceiver = {
  port: number;
  mails: Mail[];
  /** The passwords that were sent to it. */
  passwords: string[];
  close: () => Promise<void>;
};

export const mailPassword = 'mail password';

/** Without TLS unless `options` give a certificate. `refused`: recipients that it does not accept. */
export const startMailReceiver = async (
  options: SMTPServerOptions = { hideSTARTTLS: true, allowInsecureAuth: true },
  refused: readonly string[] = [],
): Promise<MailReceiver> => {
  const mails: Mail[] = [];
  const passwords: string[] = [];
  const server = new SMTPServer({
    onAuth: ({ username, password }, _, done) => {
      passwords.push(password ?? '');
      if (username === 'counterfoil' && password === mailPassword) done(null, { user: username });
      else done(new Error('wrong'));
    },
    onRcptTo: ({ address }, _, done) =>
      refused.includes(address)
        ? done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
        : done(),
    onData: (stream, session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
    ...options,
  });
  // A client that does not trust the certificate ends the connection.
  server.on('error', () => undefined);
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    passwords,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
      }),
  };
};
