import { useEffect, useRef } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { MessageKey } from '../../../../shared/messages/message.ts';
import { useMessage, useText } from '../../../i18n/text.ts';

/** The names of the fields that can have a problem, by path. */
const labels: Readonly<Record<string, MessageKey>> = {
  name: 'profile.name',
  baseUrl: 'profile.base-url',
  merchantKey: 'profile.merchant-key',
  password: 'profile.password',
  successUrl: 'profile.success-url',
  cancelUrl: 'profile.cancel-url',
  orderPattern: 'profile.order-pattern',
  methods: 'profile.methods',
  'merchant.name': 'profile.merchant.name',
  'merchant.phone': 'profile.merchant.phone',
  'merchant.address': 'profile.merchant.address',
  timeZone: 'profile.merchant.zone',
  gatewayZone: 'profile.zone',
  amountExceptions: 'profile.amount-exceptions',
  'extras.sessionExpiry': 'extra.sessionExpiry',
  'extras.scheduleId': 'extra.scheduleId',
  'extras.channelId': 'extra.channelId',
  'extras.expiryUrl': 'extra.expiryUrl',
  'extras.errorUrl': 'extra.errorUrl',
  'extras.billingAddress': 'extra.billingAddress',
  'extras.customData': 'extra.customData',
  'extras.extraJson': 'extra.extraJson',
  'timeouts.connect': 'timeout.connect',
  'timeouts.headers': 'timeout.headers',
  'timeouts.body': 'timeout.body',
};

/** A problem's field as the form names it. */
const fieldOf = (path: string): string => {
  const name = path.replace(/^profile\./, '');
  return name.startsWith('merchant.address') ? 'merchant.address' : name;
};

/**
 * What keeps a profile from being saved, above the form: each problem leads to its field. It takes the focus, because
 * the button that was pressed is at the other end of a long form.
 */
export const ProblemSummary = ({
  problem,
}: {
  problem: AppError & { fields: NonNullable<AppError['fields']> };
}) => {
  const t = useText();
  const say = useMessage();
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    summary.current?.focus({ preventScroll: true });
    summary.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const show = (path: string): void => {
    const form = summary.current?.closest('form');
    const field = form?.querySelector<HTMLElement>(`[name="${CSS.escape(fieldOf(path))}"]`);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
  };
  return (
    <section ref={summary} className="problem-summary" aria-labelledby="problem-summary-title" tabIndex={-1}>
      <h3 id="problem-summary-title">{t('profile.problems', { count: problem.fields.length })}</h3>
      <ul>
        {problem.fields.map(({ path, message }) => {
          const label = labels[fieldOf(path)];
          return (
            <li key={path}>
              <button type="button" className="problem-link" onClick={() => show(path)}>
                {label === undefined ? say(message) : `${t(label)}: ${say(message)}`}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
