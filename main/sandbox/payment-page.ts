import { gatewayDate } from './callback.ts';
import { html, page, type Html } from './html.ts';
import { currentAttempt, linkState, type Scenario, type Session } from './sandbox-payments.ts';

/** The payer's pages (§1): only forms and links, no script, no card number. */

/** The bank's reasons for a decline; the first is the default. */
export const declineReasons = [
  'Declined by processing',
  'Insufficient funds',
  'Card expired',
  'Lost or stolen card',
  'Limit exceeded',
] as const;

/** What a payer may do, in the order of the page. */
const choices: readonly (readonly [scenario: Scenario, title: string, description: string])[] = [
  ['pay', 'Pay', 'The bank approves at once.'],
  ['decline', 'Decline', 'The bank declines, with the reason selected below. You can try again.'],
  ['3ds-pay', '3-D Secure, then pay', 'The bank asks the payer first, then approves.'],
  ['3ds-fail', '3-D Secure, then fail', 'The bank asks the payer first, and the check fails.'],
  ['wait-pay', 'Wait, then pay', 'The payment is being processed for a while, then approved.'],
  [
    'redirect-pay',
    'Another page, then pay',
    'The payer is redirected to a page such as a wallet, and pays there.',
  ],
  ['cancel', 'Cancel', 'The payer gives up and goes back. The link stays open.'],
];

const summary = ({ request: { order } }: Session): Html => html`
  <p class="amount">${order.amount} <small>${order.currency}</small></p>
  <dl>
    <dt>Order</dt>
    <dd dir="auto">${order.number}</dd>
    <dt>For</dt>
    <dd dir="auto">${order.description}</dd>
  </dl>
`;

const reasonChoice = html`
  <p>
    <label for="reason">Reason the bank gives when it declines</label>
    <select id="reason" name="reason">
      ${declineReasons.map(reason => html`<option>${reason}</option>`)}
    </select>
  </p>
`;

const button = (scenario: Scenario, title: string, description: string): Html => html`
  <button name="scenario" value="${scenario}"><strong>${title}</strong><span>${description}</span></button>
`;

const form = (session: Session, legend: string, body: Html): Html => html`
  <form method="post" action="/pay/${session.token}">
    <fieldset>
      <legend>${legend}</legend>
      ${body}
    </fieldset>
  </form>
`;

const link = (href: string, text: string): Html =>
  html`<p><a href="${href}" rel="noreferrer">${text}</a></p>`;

const choicePage = (session: Session, now: number): string => {
  const minutes = Math.max(1, Math.floor((session.expiresAt - now) / 60_000));
  const attempt = currentAttempt(session);
  return page(
    `Pay ${session.request.order.amount} ${session.request.order.currency}`,
    html`
      <h1>What should happen to this payment?</h1>
      ${summary(session)}
      ${attempt.status === 'decline' ? html`<p class="bad">The last attempt was declined: ${attempt.reason}.</p>` : null}
      ${form(
        session,
        'Result of this payment',
        html`${choices.map(choice => button(...choice))} ${reasonChoice}`,
      )}
      <p>
        This link expires in about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}
        (${gatewayDate(session.expiresAt)} UTC).
      </p>
    `,
  );
};

const bankCheck = ['Your bank asks you to confirm this payment', 'Test bank'] as const;
/** What the payer does next on another page: its title, who it is, the button and what that does. */
const nextSteps = {
  confirm: [...bankCheck, 'Confirm the payment', 'The check succeeds and the payment is approved.'],
  fail: [...bankCheck, 'Let the check fail', 'The check fails and the payment is declined.'],
  wallet: ['You were redirected to the test wallet', 'Test wallet', 'Pay here', 'The payment is approved.'],
  wait: [
    'Your payment is being processed',
    'Test bank, still processing',
    'Let the bank approve it',
    'The wait ends and the payment is paid.',
  ],
} as const;

const nextPage = (session: Session): string => {
  const { status, ahead } = currentAttempt(session);
  const check = ahead === 'settled' ? 'confirm' : 'fail';
  const step = status === '3ds' ? check : status === 'redirect' ? 'wallet' : 'wait';
  const [title, legend, action, description] = nextSteps[step];
  return page(
    title,
    html`
      <h1>${title}</h1>
      ${summary(session)} ${form(session, legend, button('continue', action, description))}
    `,
  );
};

/** `returnUrl`: the merchant's return address (§1). */
const resultPage = (session: Session, returnUrl: string, now: number): string => {
  const attempt = currentAttempt(session);
  const canRetry = linkState(session, now) === 'live';
  if (session.cancelled)
    return page(
      'Cancelled',
      html`
        <h1>You cancelled this payment</h1>
        ${summary(session)}
        <p>Nothing was paid.${canRetry ? ' The link stays open.' : ''}</p>
        ${link(returnUrl, 'Back to the shop')}
        ${canRetry ? link(`/pay/${session.token}`, 'Return to the payment') : null}
      `,
    );
  if (attempt.status === 'decline')
    return page(
      'Declined',
      html`
        <h1 class="bad">The payment was declined</h1>
        ${summary(session)}
        <p>The bank says: ${attempt.reason}.</p>
        ${canRetry ? link(`/pay/${session.token}`, 'Try again') : null}
        ${link(session.request.error_url ?? returnUrl, 'Back to the shop')}
      `,
    );
  return page(
    attempt.isAuthorised ? 'Authorised' : 'Paid',
    html`
      <h1 class="good">
        ${attempt.isAuthorised ? 'Authorised in the sandbox, not captured yet' : 'Paid in the sandbox'}
      </h1>
      ${summary(session)}
      <p>Approval code ${attempt.approvalCode}. This link can no longer be used.</p>
      ${link(returnUrl, 'Back to the shop')}
    `,
  );
};

const gonePage = (title: string, description: string, back: Html | null = null): string =>
  page(
    title,
    html`<h1>${title}</h1>
      <p>${description}</p>
      ${back}`,
  );

/** The sandbox's own shop: the payer's return page if the merchant has none (§1). */
export const shopPage = (isSuccess: boolean, orderNumber: string): ShownPage => ({
  status: 200,
  body: page(
    'The shop',
    html`
      <h1>${isSuccess ? 'Back in the shop after paying' : 'Back in the shop without paying'}</h1>
      <dl>
        <dt>Order</dt>
        <dd dir="auto">${orderNumber}</dd>
      </dl>
      <p>
        This page stands for ${isSuccess ? 'success_url' : 'cancel_url'}. Coming back proves nothing: only a
        callback or a status check shows the result of the payment.
      </p>
    `,
  ),
});

export type ShownPage = { status: number; body: string };

/** For the address of an unknown link. */
export const unknownLinkPage = (): ShownPage => ({
  status: 404,
  body: gonePage('There is no such payment link', 'Check the address, or ask the shop for a new link.'),
});

/** The page of a link at `now` in milliseconds: a choice, the bank check, a wait, or that it was used (§3.3). */
export const paymentPage = (session: Session, now: number): ShownPage => {
  const attempt = currentAttempt(session);
  if (attempt.ahead !== null) return { status: 200, body: nextPage(session) };
  const state = linkState(session, now);
  if (state === 'used')
    return {
      status: 410,
      body: gonePage('This payment link has been used', 'The payment was made; a link pays only once.'),
    };
  if (state === 'expired') {
    const { expiry_url: back } = session.request;
    return {
      status: 410,
      body: gonePage(
        'This payment link has expired',
        'Ask the shop for a new one.',
        back === undefined ? null : link(back, 'Back to the shop'),
      ),
    };
  }
  return { status: 200, body: choicePage(session, now) };
};

/** The page after a choice was applied; before that the payment page. */
export const outcomePage = (session: Session, returnUrl: string, now: number): ShownPage => {
  const { ahead, status } = currentAttempt(session);
  return ahead !== null || (status === 'prepare' && !session.cancelled)
    ? paymentPage(session, now)
    : { status: 200, body: resultPage(session, returnUrl, now) };
};
