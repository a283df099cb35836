import * as z from 'zod';
import { afterMoves, refundable, type AfterMove } from './after-payment.ts';
import { gatewayDate, type Callback } from './callback.ts';
import { html, page, type Html } from './html.ts';
import { linkState, type Attempt, type Session } from './payments.ts';

/** The merchant dashboard (§6.2.3): the newest payments, what may still happen to them, and their callbacks. */

const actions = [...afterMoves, 'recurring', 'resend'] as const;
export type DashboardAction = AfterMove | 'recurring' | 'resend';

const actionSchema = z.object({
  action: z.enum(actions),
  payment_id: z.string().max(64),
  amount: z.string().trim().max(32).default(''),
});

/** Reads a posted dashboard form; null when it is not one of ours. */
export const dashboardAction = (
  form: URLSearchParams,
): { action: DashboardAction; paymentId: string; amount: string } | null => {
  const read = actionSchema.safeParse(Object.fromEntries(form));
  return read.success
    ? { action: read.data.action, paymentId: read.data.payment_id, amount: read.data.amount }
    : null;
};

const deliveryWord = (callback: Callback): Html => {
  const last = callback.deliveries.at(-1);
  if (!last) return html`<span class="note">not sent</span>`;
  const tries = callback.deliveries.length;
  const count = tries === 1 ? '1 try' : `${tries} tries`;
  return last.httpStatus === 200
    ? html`<span class="good">confirmed, ${count}</span>`
    : html`<span class="bad"
        >not confirmed, ${count}${last.httpStatus === null ? '' : `, HTTP ${last.httpStatus}`}</span
      >`;
};

const actionForm = (action: string, paymentId: string, buttons: Html): Html => html`
  <form method="post" action="${action}">
    <input type="hidden" name="payment_id" value="${paymentId}" />
    ${buttons}
  </form>
`;

const button = (action: DashboardAction, title: string): Html =>
  html`<button name="action" value="${action}">${title}</button>`;

const attemptRow = (session: Session, attempt: Attempt, path: string, now: number): Html => {
  const { order } = session.request;
  const left = refundable(session, attempt);
  const label = `Refund of order ${order.number}`;
  return html`
    <tr>
      <td>${gatewayDate(attempt.beganAt)}</td>
      <td dir="auto">${order.number}<br /><code>${attempt.paymentId}</code></td>
      <td class="number">${order.amount} ${order.currency}</td>
      <td>
        ${attempt.status}${attempt.reason === null ? null : html`<br /><span class="bad">${attempt.reason}</span>`}
        <br /><span class="note">link ${linkState(session, now)}</span>
      </td>
      <td>
        <ul class="plain">
          ${session.callbacks
            .filter(callback => callback.fields.some(([, value]) => value === attempt.paymentId))
            .map(callback => html`<li>${callback.type} ${callback.status}: ${deliveryWord(callback)}</li>`)}
        </ul>
      </td>
      <td>
        ${
          left === ''
            ? null
            : actionForm(
                path,
                attempt.paymentId,
                html`<input name="amount" value="${left}" inputmode="decimal" aria-label="${label}" />
                  ${button('refund', 'Refund')} ${button('refund-fail', 'Refund fails')}
                  ${button('void', 'Void')} ${button('chargeback', 'Chargeback')}
                  ${session.recurring ? button('recurring', 'Recurring payment') : null}`,
              )
        }
        ${actionForm(path, attempt.paymentId, button('resend', 'Resend callbacks'))}
      </td>
    </tr>
  `;
};

/** `path`: where its forms are posted; `said`: what the last action came to. `now` in milliseconds. */
export const dashboardPage = (
  sessions: readonly Session[],
  callbackUrl: string | null,
  path: string,
  said: string,
  now: number,
): string =>
  page(
    'Dashboard',
    html`
      <h1>Sandbox dashboard</h1>
      <p>
        Callback URL:
        ${callbackUrl === null ? html`<span class="bad">not set: callbacks are kept, not sent</span>` : html`<code>${new URL(callbackUrl).origin}/…</code>`}
      </p>
      <p role="status">${said}</p>
      <table>
        <caption>
          The newest payments; times in UTC
        </caption>
        <thead>
          <tr>
            <th scope="col">Began</th>
            <th scope="col">Order and payment id</th>
            <th scope="col">Amount</th>
            <th scope="col">Status</th>
            <th scope="col">Callbacks</th>
            <th scope="col">What happens next</th>
          </tr>
        </thead>
        <tbody>
          ${sessions.flatMap(session => session.attempts.map(attempt => attemptRow(session, attempt, path, now)))}
        </tbody>
      </table>
      ${sessions.length === 0 ? html`<p class="note">No payment yet. Raise a link, and it shows up here.</p>` : null}
    `,
    true,
  );
