import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { SandboxFault } from '../../shared/contract/contract.ts';
import { applyToPaid, moves } from './after-payment.ts';
import { callbackOf, signedForm } from './callback.ts';
import { choicesSchema } from './choices.ts';
import { dashboardAction, dashboardChoices, dashboardPage } from './dashboard.ts';
import { openDeliveries } from './delivery.ts';
import { refusal, type Answer } from './faults.ts';
import { signature } from './hash.ts';
import { pageHeaders } from './html.ts';
import { readForm, write } from './http.ts';
import { createEndpoints, endpointAt } from './merchant-endpoints.ts';
import { asChosen, createOperations } from './operations-endpoint.ts';
import {
  declineReasons,
  outcomePage,
  paymentPage,
  shopPage,
  unknownLinkPage,
  type ShownPage,
} from './payment-page.ts';
import {
  currentAttempt,
  createSandboxPayments,
  scenarios,
  type SandboxEvent,
  type Session,
} from './sandbox-payments.ts';
import { testRequest } from './requests.ts';
import { eventTypes, type SandboxChoices, type SandboxOptions, type StartSandbox } from './sandbox.ts';

const shopPath = /^\/return\/(success|cancel)$/;
const payPath = /^\/pay\/([\w-]{1,64})(\/result)?$/;

const checkedUrl = (url: string | null): string | null => {
  const read = url === null ? null : URL.parse(url);
  if (url !== null && read?.protocol !== 'http:' && read?.protocol !== 'https:')
    throw new TypeError('The callback URL must be an http or https address.');
  return url;
};

const shown = ({ status, body }: ShownPage, formTargets: readonly string[] = []): Answer => ({
  status,
  text: body,
  headers: pageHeaders(formTargets),
});

const seeOther = (location: string): Answer => ({
  status: 303,
  text: '',
  headers: { location, 'referrer-policy': 'no-referrer' },
});

const wrongMethod = (allowed: string): Answer => ({
  ...refusal([`Method not allowed, use ${allowed}.`], 405),
  headers: { allow: allowed },
});

/**
 * Starts the test gateway on 127.0.0.1 (§2 to §8). Throws if the port is taken or the callback URL is not http or
 * https.
 */
export const startSandbox: StartSandbox = async (options: SandboxOptions) => {
  const { merchantKey, merchantPassword, digest = 'md5', uppercasing = 'unicode' } = options;
  const { clock = Date.now, faultDelayMs = 30_000 } = options;
  const merchant = { merchantKey, merchantPassword, digest };
  let callbackUrl = checkedUrl(options.callbackUrl);
  let faults: readonly SandboxFault[] = [...(options.faults ?? [])];
  let choices: SandboxChoices = {
    events: eventTypes,
    ...choicesSchema.parse({}),
    ...options.choices,
  };
  const paymentStore = createSandboxPayments(options.capacity ?? 100_000);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const deliveries = openDeliveries({
    callbackUrl: () => callbackUrl,
    faults: () => faults,
    body: (callback, tampered) =>
      signedForm(callback, tampered ? `${merchantPassword}?` : merchantPassword, digest, uppercasing),
    retryIntervals: options.retryIntervals ?? [1_000, 5_000, 15_000],
    lateMs: options.callbackLateMs ?? 10_000,
    timeoutMs: options.deliveryTimeoutMs ?? 10_000,
    clock,
    onDelivery: options.onDelivery ?? (() => undefined),
  });
  const dashboardPath = `/dashboard/${randomBytes(24).toString('base64url')}`;
  let origin = '';

  const sendCallbacks = (session: Session, sandboxEvents: readonly SandboxEvent[]): void => {
    for (const sandboxEvent of sandboxEvents) {
      const callback = callbackOf(session, sandboxEvent, clock(), choices.orderStatus);
      session.callbacks.push(callback);
      // §6: the merchant chooses which event types to receive.
      if (choices.events.includes(sandboxEvent.type)) deliveries.send(session, callback);
    }
  };

  const callbacksOf = (orderNumber: string) =>
    paymentStore
      .ofOrder(orderNumber)
      .flatMap(({ callbacks }) => callbacks)
      .filter(({ type }) => choices.events.includes(type));

  const operations = createOperations({
    payments: paymentStore,
    merchant,
    choices: () => choices,
    clock,
    delayMs: options.operationDelayMs ?? 1_500,
    closing: closing.signal,
    send: sendCallbacks,
  });
  const answerEndpoint = createEndpoints({
    payments: paymentStore,
    merchant,
    operations,
    namesUnknownPayment: options.unknownPayment === 'named',
    faults: () => faults,
    clock,
    faultDelayMs,
    closing: closing.signal,
    linkTo: token => `${origin}/pay/${token}`,
    onLink: session =>
      sendCallbacks(session, [{ attempt: session.attempts[0], type: 'redirect', status: 'success' }]),
  });

  /** The return address of the payer's browser (§1). */
  const returnUrl = (session: Session): string => {
    const { success_url: success, cancel_url: cancel, error_url: failure, order } = session.request;
    const attempt = currentAttempt(session);
    const declined = attempt.status === 'decline' && !session.cancelled;
    const url = new URL(session.cancelled ? cancel : declined ? (failure ?? cancel) : success);
    if (choices.signReturnUrl) {
      const { paymentId } = attempt;
      const parts = [
        paymentId,
        order.number,
        order.amount,
        order.currency,
        order.description,
        merchantPassword,
      ];
      url.searchParams.set('payment_id', paymentId);
      url.searchParams.set('trans_id', paymentId);
      url.searchParams.set('order_id', order.number);
      url.searchParams.set('hash', signature(parts, digest, uppercasing));
    }
    return url.href;
  };

  const answerPayer = async (request: IncomingMessage, token: string, result: boolean): Promise<Answer> => {
    const session = paymentStore.byToken(token);
    if (!session) return shown(unknownLinkPage());
    const now = clock();
    if (request.method !== 'POST') {
      // The browser applies the page's form-action to the redirect after a form.
      const targets = choices.redirectBack
        ? [session.request.success_url, session.request.cancel_url, session.request.error_url ?? '']
        : [];
      const origins = targets.flatMap(target => URL.parse(target)?.origin ?? []);
      return shown(
        result ? outcomePage(session, returnUrl(session), now) : paymentPage(session, now),
        origins,
      );
    }
    const form = await readForm(request);
    const scenario = scenarios.find(name => name === form.get('scenario'));
    if (!scenario) return shown({ ...paymentPage(session, now), status: 400 });
    const reason = declineReasons.find(name => name === form.get('reason')) ?? '';
    const sandboxEvents = paymentStore.applyScenario(session, scenario, now, reason);
    if (sandboxEvents === null) return seeOther(`/pay/${token}`);
    sendCallbacks(session, sandboxEvents);
    const { ahead, status } = currentAttempt(session);
    if (ahead !== null) return seeOther(`/pay/${token}`);
    // A declined payer may try again here; the page has the link back to the shop.
    const isBack = choices.redirectBack && (session.cancelled || status !== 'decline');
    return seeOther(isBack ? returnUrl(session) : `/pay/${token}/result`);
  };

  const act = async (form: URLSearchParams): Promise<string> => {
    const chosen = dashboardChoices(form);
    if (chosen) {
      choices = chosen;
      return 'Saved.';
    }
    const posted = dashboardAction(form);
    const found = posted && paymentStore.find({ by: 'payment_id', value: posted.payment_id });
    if (!found) return 'There is no such payment.';
    const { session, attempt } = found;
    const { action, amount } = posted;
    const { number } = session.request.order;
    if (action === 'resend') return `Callbacks sent again: ${await deliveries.resend(callbacksOf(number))}.`;
    if (action === 'approve') {
      const sandboxEvents = paymentStore.applyScenario(session, 'continue', clock(), '');
      if (sandboxEvents === null) return 'This payment is not waiting for anything.';
      sendCallbacks(session, asChosen(session, sandboxEvents, choices));
      return `Approved: order ${number}.`;
    }
    const move = moves[action];
    if (move.type === 'recurring') {
      if (!session.recurring) return 'This payment began no recurring series.';
      const { session: next, sandboxEvents } = paymentStore.repeat(session, clock(), move.status);
      sendCallbacks(next, sandboxEvents);
      return `Recurring payment made: order ${next.request.order.number}.`;
    }
    const sandboxEvents = applyToPaid(session, attempt, move, amount, choices);
    if (typeof sandboxEvents === 'string') return sandboxEvents;
    sendCallbacks(session, sandboxEvents);
    return `Done: ${action} of order ${number}.`;
  };

  const answerDashboard = async (request: IncomingMessage): Promise<Answer> => {
    const result = request.method === 'POST' ? await act(await readForm(request)) : '';
    return shown({
      status: 200,
      body: dashboardPage(paymentStore.newest(100), {
        callbackUrl,
        choices,
        path: dashboardPath,
        result,
        now: clock(),
      }),
    });
  };

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? '', origin);
    const path = url?.pathname ?? '';
    const method = request.method ?? '';
    const forPeople = ['GET', 'HEAD', 'POST'].includes(method);
    const endpoint = endpointAt(path);
    if (url && endpoint !== null) {
      const isAllowed = method === 'POST' || (method === 'GET' && endpoint === 'status');
      if (isAllowed) return answerEndpoint(request, response, url, endpoint);
      return write(request, response, wrongMethod(endpoint === 'status' ? 'GET, POST' : 'POST'));
    }
    const [, token, result] = payPath.exec(path) ?? [];
    if (token !== undefined || path === dashboardPath) {
      if (!forPeople) return write(request, response, wrongMethod('GET, HEAD, POST'));
      const answer =
        token === undefined
          ? await answerDashboard(request)
          : await answerPayer(request, token, result !== undefined);
      return write(request, response, answer);
    }
    const [, shop] = shopPath.exec(path) ?? [];
    if (url && shop !== undefined) {
      if (!forPeople) return write(request, response, wrongMethod('GET, HEAD, POST'));
      return write(
        request,
        response,
        shown(shopPage(shop === 'success', url.searchParams.get('order') ?? '')),
      );
    }
    return write(request, response, refusal(['Not found.'], 404));
  };

  const server = createServer((request, response) => {
    response.once('close', () => {
      const path = (request.url ?? '').split('?', 1)[0]?.replace(/^\/(pay|dashboard)\/.*/, '/$1/…');
      options.onRequest?.(
        `${request.method} ${path} ${response.writableEnded ? response.statusCode : 'dropped'}`,
      );
    });
    route(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else write(request, response, refusal(['Internal error.'], 500));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : options.port;
  origin = `http://127.0.0.1:${port}`;

  return {
    baseUrl: origin,
    port,
    dashboardUrl: origin + dashboardPath,
    setCallbackUrl: url => {
      callbackUrl = checkedUrl(url);
    },
    setFaults: next => {
      faults = [...next];
    },
    faults: () => faults,
    setChoices: changes => {
      choices = { ...choices, ...changes };
    },
    operations: () => operations.accepted(),
    testCallback: async () => {
      const orderNumber = `TEST-${randomBytes(4).toString('hex').toUpperCase()}`;
      const request = testRequest(orderNumber, options.merchantKey);
      const session = paymentStore.register(request, clock());
      const sandboxEvent = (paymentStore.applyScenario(session, 'pay', clock(), '') ?? []).find(
        ({ type }) => type === 'sale',
      );
      if (!sandboxEvent) return { orderNumber, httpStatus: null };
      const callback = callbackOf(session, sandboxEvent, clock(), choices.orderStatus);
      session.callbacks.push(callback);
      await deliveries.resend([callback]);
      return { orderNumber, httpStatus: callback.deliveries.at(-1)?.httpStatus ?? null };
    },
    resend: orderNumber => deliveries.resend(callbacksOf(orderNumber)),
    close: async () => {
      closing.abort();
      deliveries.close();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};
