import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Refusal, RefusalReason } from '../../shared/callbacks/receiver-health.ts';
import { fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { Connections } from './connections.ts';
import { bodyText, readBody } from './read-body.ts';
import type { Delivery, Receiver, ReceiverOptions } from './receiver.ts';

export type ReceiverLimits = {
  /** Size limit of a body, bytes. */
  bodyBytes: number;
  /** Timeouts: for the head (with TLS: the handshake, then the head), and for the whole request. */
  headersMs: number;
  requestMs: number;
  connections: number;
  /** Connection limit per remote address other than this PC. */
  perAddress: number;
};

const usualLimits: ReceiverLimits = {
  bodyBytes: 64 * 1024,
  headersMs: 5_000,
  requestMs: 10_000,
  connections: 512,
  perAddress: 128,
};

/** Sample size of the response time statistics. */
const maxRemembered = 1_024;

/** Limit of deliveries on one connection; then the client opens another. */
const maxRequestsPerSocket = 1_000;

/** Error responses describe the problem briefly and reveal nothing about the console. */
const rejectRequest = (response: ServerResponse, status: number, text: string, allow = 'POST'): void => {
  response.writeHead(status, {
    'content-type': 'text/plain',
    'content-length': Buffer.byteLength(text),
    ...(status === 405 ? { allow } : {}),
    ...(status === 503 ? { 'retry-after': '60' } : {}),
    // The connection stays open only after a stored delivery.
    connection: 'close',
  });
  response.end(text);
};

const okHeaders = { 'content-type': 'text/plain', 'content-length': 2 };

class AnswerTimes {
  readonly times: number[] = [];
  next = 0;

  add(time: number): void {
    this.times[this.next] = time;
    this.next = (this.next + 1) % maxRemembered;
  }

  summary(): { median: number; p99: number } | null {
    if (this.times.length === 0) return null;
    const sorted = this.times.toSorted((one, other) => one - other);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { median: at(0.5), p99: at(0.99) };
  }
}

/**
 * Collects a body up to the limit; calls back once, with null if it was too large. A closed connection calls nothing.
 */
const collect = (request: IncomingMessage, limit: number, done: (body: Buffer | null) => void): void => {
  let first: Buffer | null = null;
  let more: Buffer[] | null = null;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      request.removeAllListeners('data');
      request.removeAllListeners('end');
      request.pause();
      done(null);
      return;
    }
    if (!first) first = chunk;
    else (more ??= [first]).push(chunk);
  });
  request.on('end', () => done(more ? Buffer.concat(more) : (first ?? Buffer.alloc(0))));
};

const listen = (server: Server, host: string, port: number): Promise<Result<AddressInfo>> =>
  new Promise(resolve => {
    // A later error, such as too many open files, concerns one connection; without a listener it would end the program.
    server.on('error', () => undefined);
    server.once('error', (error: NodeJS.ErrnoException) => {
      const details = { host, port, reason: error.code ?? 'unknown' };
      if (error.code === 'EADDRINUSE')
        resolve(
          fail('receiver.port-taken', msg('receiver.port-in-use', { port: String(port) }), {
            hint: msg('hint.receiver.port-taken'),
            details,
          }),
        );
      else
        resolve(
          fail('receiver.failed', msg('receiver.not-started', { host, port: String(port) }), {
            hint: msg(
              error.code === 'EACCES' ? 'receiver.not-started.low-port.hint' : 'receiver.not-started.hint',
            ),
            details,
          }),
        );
    });
    server.listen(port, host, () => resolve(ok(server.address() as AddressInfo)));
  });

/**
 * Starts the HTTP listener for callbacks (§4.3, §6.2). POST only; form, multipart and JSON. Answers 200 with `OK`
 * only after `store` succeeded, for any signature; 503 if it failed, so that the gateway tries again; 400, 404, 405,
 * 408, 413, 415 for requests that are not callbacks. Errors: `receiver.port-taken`, `receiver.failed`.
 */
export const startReceiver = async (
  options: ReceiverOptions & { limits?: Partial<ReceiverLimits> },
): Promise<Result<Receiver>> => {
  const limits = { ...usualLimits, ...options.limits };
  const answers = new AnswerTimes();
  let received = 0;
  let unverified = 0;
  let lastAt: number | null = null;
  const refusals = new Map<RefusalReason, Refusal>();

  const enqueueDelivery = async (delivery: Delivery): Promise<Result<{ verified: boolean }>> => {
    try {
      return await options.store(delivery);
    } catch {
      return fail('internal', msg('receiver.not-saved'));
    }
  };

  const { senderOf = remote => remote, addressLimits, clock } = options;
  const senderOfRequest = ({ socket, headers }: IncomingMessage): string => {
    const forwarded = headers['x-forwarded-for'];
    return senderOf(socket.remoteAddress ?? '', Array.isArray(forwarded) ? forwarded.join(',') : forwarded);
  };
  const count = (reason: RefusalReason): void => {
    const before = refusals.get(reason)?.count ?? 0;
    refusals.set(reason, { reason, count: before + 1, lastAt: clock() });
    options.onRefused?.(reason);
  };
  /** Refuses what is no callback; a sender of too many gets no answer. Without a reason it is not counted. */
  const refuse = (
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    text: string,
    reason: RefusalReason | null,
    allow = 'POST',
  ): void => {
    if (reason !== null) count(reason);
    if (addressLimits?.take(senderOfRequest(request)) === false) request.socket.destroy();
    else rejectRequest(response, status, text, allow);
  };

  const accept = async (
    profileId: string,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    arrivedAt: number,
    startedAt: number,
  ): Promise<void> => {
    const contentType = request.headers['content-type'] ?? '';
    const bodies = readBody(bodyText(body, contentType), contentType);
    if (bodies.length === 0) {
      refuse(request, response, 400, 'Not a callback', 'no-callback');
      return;
    }
    const sender = senderOfRequest(request);
    const stored = await Promise.all(
      bodies.map(({ fields, form }) => enqueueDelivery({ profileId, fields, form, arrivedAt, sender })),
    );
    // If one is not on disk, the gateway sends all of them again; the others are duplicates then.
    if (!stored.every(one => one.ok)) {
      count('not-kept');
      rejectRequest(response, 503, 'Not kept, please send again');
      return;
    }
    received += stored.length;
    unverified += stored.filter(one => !one.value.verified).length;
    lastAt = arrivedAt;
    response.writeHead(200, okHeaders);
    response.end('OK');
    answers.add(performance.now() - startedAt);
  };

  const showPage = (
    request: IncomingMessage,
    response: ServerResponse,
    { body, headers }: { body: string; headers: Readonly<Record<string, string>> },
  ): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(request, response, 405, 'GET only', null, 'GET, HEAD');
      return;
    }
    if (addressLimits?.take(senderOfRequest(request)) === false) {
      request.socket.destroy();
      return;
    }
    response.writeHead(200, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    const arrivedAt = clock();
    const url = request.url ?? '';
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const page = options.pages?.get(path);
    if (page) {
      showPage(request, response, page);
      return;
    }
    const profileId = options.routes.get(path);
    if (profileId === undefined) {
      // Programs that look for pages are no deliveries.
      refuse(request, response, 404, 'Not found', request.method === 'POST' ? 'path' : null);
      return;
    }
    if (request.method !== 'POST') {
      refuse(request, response, 405, 'POST only', 'method');
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) {
      refuse(request, response, 413, 'Too large', 'too-large');
      return;
    }
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (coding !== '' && coding !== 'identity') {
      refuse(request, response, 415, 'No content encoding', 'coding');
      return;
    }
    collect(request, limits.bodyBytes, body => {
      if (body) void accept(profileId, request, response, body, arrivedAt, startedAt);
      else refuse(request, response, 413, 'Too large', 'too-large');
    });
  };

  const settings = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16 * 1024,
  };
  let server: Server;
  try {
    server = options.tls
      ? createTlsServer({ ...settings, handshakeTimeout: limits.headersMs, ...options.tls }, handle)
      : createServer(settings, handle);
  } catch {
    return fail('receiver.failed', msg('certificate.refused'), { hint: msg('certificate.refused.hint') });
  }
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  // Reached only while as many deliveries are being written at once.
  server.maxConnections = 2 * limits.connections;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Answer in HTTP only if the client uses HTTP: a broken TLS handshake would wait for its end forever.
    if (!socket.writable || !/^(?:HPE_|ERR_HTTP_)/.test(error.code ?? '')) {
      socket.destroy();
      return;
    }
    const status =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : error.code === 'HPE_HEADER_OVERFLOW'
          ? '431 Request Header Fields Too Large'
          : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () =>
      socket.destroy(),
    );
  });

  // Includes connections without data so far, which a TLS server does not report.
  const connections = new Connections(limits);
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Until its body has arrived a request counts as idle.
    request.once('end', () => {
      connections.begin(socket);
      response.once('close', () => connections.end(socket));
    });
  });

  const address = await listen(server, options.host, options.port);
  if (!address.ok) return address;
  return ok({
    host: options.host,
    port: address.value.port,
    statistics: () => ({
      received,
      unverified,
      lastAt,
      refused: [...refusals.values()].sort((one, other) => other.lastAt - one.lastAt),
      answerMs: answers.summary(),
    }),
    renewCertificate: tls => {
      try {
        if (server instanceof TlsServer) server.setSecureContext(tls);
        return server instanceof TlsServer;
      } catch {
        return false;
      }
    },
    close: () =>
      new Promise(resolve => {
        // Deliveries being written are answered first; slower clients are disconnected.
        const bodyDeadline = setTimeout(() => {
          connections.destroyAll();
        }, 2_000);
        server.close(() => {
          clearTimeout(bodyDeadline);
          resolve();
        });
        server.closeIdleConnections();
      }),
  });
};
