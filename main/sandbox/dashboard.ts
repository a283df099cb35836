import * as z from 'zod';
import { afterMoves, moves, refundable, repeats } from './after-payment.ts';
import {
  type Callback,
  linkState,
  type Attempt,
  type OperationInFlight,
  type Session,
} from './sandbox-payments.ts';
import { gatewayDate } from './callback.ts';
import { html, page, type Html } from './html.ts';
import { choicesSchema, selectionSchema, selectionTitles } from './choices.ts';
import { eventTypes, type SandboxChoices } from './sandbox.ts';

/** The merchant dashboard (§6): event types, the newest payments, possible actions on them, their callbacks. */

/** Reads the posted form of choices; null if it is another form. */
export const dashboardChoices = (form: URLSearchParams): SandboxChoices | null => {
  const read = choicesSchema.safeParse(Object.fromEntries(form));
  if (form.get('choices') !== 'save' || !read.success) return null;
  return { ...read.data, events: eventTypes.filter(type => form.getAll('event').includes(type)) };
};

const actionSchema = z.object({
  action: z.enum([...(Object.keys(moves) as (keyof typeof moves)[]), 'approve', 'resend']),
  payment_id: z.string().max(64),
  amount: z.string().trim().max(32).default(''),
});

/** Reads a posted dashboard form; null if it is not a valid one. */
export const dashboardAction = (form: URLSearchParams): z.infer<typeof actionSchema> | null =>
  actionSchema.safeParse(Object.fromEntries(form)).data ?? null;

const deliveryWord = (callback: Callback, { events }: SandboxChoices): Html => {
  const last = callback.deliveries.at(-1);
  if (!last && !events.includes(callback.type)) return html`<span>event not chosen</span>`;
  if (!last) return html`<span>not sent</span>`;
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

const button = (action: string, title: string): Html =>
  html`<button name="action" value="${action}">${title}</button>`;
const buttons = (of: Readonly<Record<string, { title: string }>>): Html[] =>
  Object.entries(of).map(([action, { title }]) => button(action, title));

const inFlightText = ({ operation, amount, since }: OperationInFlight): string =>
  `${operation}${amount === null ? '' : ` of ${amount}`} in progress since ${gatewayDate(since).slice(11)}`;

const attemptRow = (session: Session, attempt: Attempt, { path, choices, now }: DashboardState): Html => {
  const { order } = session.request;
  const left = refundable(session, attempt);
  const label = `Refund of order ${order.number}`;
  return html`
    <tr>
      <td>${gatewayDate(attempt.startedAt)}</td>
      <td dir="auto">${order.number}<br /><code>${attempt.paymentId}</code></td>
      <td>${order.amount} ${order.currency}</td>
      <td>
        ${attempt.status}${attempt.reason === null ? null : html`<br /><span class="bad">${attempt.reason}</span>`}
        ${attempt.isAuthorised ? html`<br /><span>authorised, not captured</span>` : null}
        <br /><span>link ${linkState(session, now)}</span>
        ${attempt.inFlight.map(one => html`<br /><span>${inFlightText(one)}</span>`)}
      </td>
      <td>
        <ul>
          ${session.callbacks
            .filter(callback => callback.fields.some(([, value]) => value === attempt.paymentId))
            .map(
              callback =>
                html`<li>${callback.type} ${callback.status}: ${deliveryWord(callback, choices)}</li>`,
            )}
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
                  ${buttons(afterMoves)} ${session.recurring ? buttons(repeats) : null}`,
              )
        }
        ${attempt.ahead === null ? null : actionForm(path, attempt.paymentId, button('approve', attempt.ahead === 'settled' ? 'Let it be approved' : 'Let the check fail'))}
        ${actionForm(path, attempt.paymentId, button('resend', 'Resend callbacks'))}
      </td>
    </tr>
  `;
};

/** The dashboard's state other than the payments. */
export type DashboardState = {
  callbackUrl: string | null;
  choices: SandboxChoices;
  /** The address of its forms. */
  path: string;
  /** The result of the last action. */
  result: string;
  /** Milliseconds since 1970. */
  now: number;
};

const checkbox = (name: string, value: string, isChecked: boolean, title: string): Html => html`
  <label>
    <input type="checkbox" name="${name}" value="${value}" ${isChecked ? 'checked' : null} /> ${title}
  </label>
`;

/** A list to choose one of `titles` by its key. */
const select = (
  name: string,
  label: string,
  titles: Readonly<Record<string, string>>,
  chosen: string,
): Html => html`
  <p>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${Object.entries(titles).map(
        ([value, title]) =>
          html`<option value="${value}" ${value === chosen ? 'selected' : null}>${title}</option>`,
      )}
    </select>
  </p>
`;

const selections = selectionSchema.keyof().options;

const choicesForm = ({ path, choices }: DashboardState): Html => html`
  <form method="post" action="${path}">
    <fieldset>
      <legend>Event types to send as callbacks</legend>
      <p>${eventTypes.map(type => checkbox('event', type, choices.events.includes(type), type))}</p>
    </fieldset>
    <fieldset>
      <legend>After a payment</legend>
      <p>
        ${checkbox('redirectBack', 'on', choices.redirectBack, 'send the customer to success_url or cancel_url')}
        ${checkbox('signReturnUrl', 'on', choices.signReturnUrl, 'put signed parameters on that address')}
      </p>
    </fieldset>
    <fieldset>
      <legend>Operations that the shop requests</legend>
      ${selections.map(name =>
        select(name, selectionTitles[name].title, selectionTitles[name].values, choices[name]),
      )}
    </fieldset>
    <button name="choices" value="save">Save</button>
  </form>
`;

export const dashboardPage = (sessions: readonly Session[], state: DashboardState): string =>
  page(
    'Dashboard',
    html`
      <h1>Sandbox dashboard</h1>
      <p>
        Callback URL:
        ${state.callbackUrl === null ? html`<span class="bad">not set: callbacks are kept, not sent</span>` : html`<code>${new URL(state.callbackUrl).origin}/…</code>`}
      </p>
      <p role="status">${state.result}</p>
      ${choicesForm(state)}
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
          ${sessions.flatMap(session => session.attempts.map(attempt => attemptRow(session, attempt, state)))}
        </tbody>
      </table>
      ${sessions.length === 0 ? html`<p>No payments yet. Create a link in Counterfoil.</p>` : null}
    `,
  );
