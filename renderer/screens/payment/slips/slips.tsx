import { clockParts } from '../../../../shared/messages/clock-parts.ts';
import type { Language } from '../../../../shared/messages/message.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { ownCustomer } from '../../../../shared/merchant-texts/own-customer.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { shownMoney } from '../../../../shared/payments/shown-money.ts';
import { timeZoneOf } from '../../../../shared/settings/merchant.ts';
import type { Profile } from '../../../../shared/settings/profile.ts';
import { QrCode } from '../../../components/display/qr-code.tsx';
import { useTextIn } from '../../../i18n/text-in.ts';
import { dateFormat } from '../../../i18n/text.ts';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { PaperHead } from '../../../components/papers/paper-head.tsx';

/** A page that is visible only on paper, with the merchant's name, address and telephone number at the top. */
const SlipPage = ({
  profile,
  language,
  title,
  children,
}: {
  profile: Profile | null;
  language: Language;
  title: string;
  children: ReactNode;
}) =>
  createPortal(
    <section className="slip" aria-hidden="true" lang={language}>
      <PaperHead profile={profile} title={title} />
      {children}
    </section>,
    document.body,
  );

/** The lines of a slip: each with its label; a value that is not known has no line. */
const SlipFacts = ({ facts }: { facts: readonly (readonly [label: string, value: string | null])[] }) => (
  <dl className="slip-facts">
    {facts.map(([label, value]) =>
      value === null || value === '' ? null : (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);

export type SlipKind = 'link' | 'confirmation';

/**
 * The page to print for a customer, in the customer's language: the link as text and code, or the confirmation of a
 * confirmed payment.
 */
export const Slips = ({
  kind,
  payment,
  profile,
  language,
}: {
  kind: SlipKind;
  payment: Payment;
  profile: Profile | null;
  language: Language;
}) => {
  const say = useTextIn(language);
  if (say === null) return null;
  const locale = say('language.tag');
  const instant = (at: number): string =>
    say('slip.instant', {
      date: dateFormat(locale, { dateStyle: 'long', timeZone: timeZoneOf(profile) }).format(at),
      time: dateFormat(locale, {
        ...clockParts,
        timeZone: timeZoneOf(profile),
      }).format(at),
    });
  const { link, paidAt } = payment;
  const { amount: wire, currency } = kind === 'confirmation' ? shownMoney(payment) : payment;
  const amount = wire === null ? '–' : formatMoney(wire, currency ?? '', locale);
  const page = { profile, language };
  const isReal = profile?.kind === 'live';
  if (kind === 'confirmation') {
    if (paidAt === null) return null;
    const paid = payment.attempts.findLast(({ outcome }) => outcome === 'paid');
    const card = paid?.cardLast4 ?? payment.cardLast4;
    return (
      <SlipPage {...page} title={say('slip.confirmation')}>
        <p className="slip-amount">{amount}</p>
        <SlipFacts
          facts={[
            [say('slip.paid-at'), instant(paidAt)],
            [say('new.order'), payment.orderNumber],
            [say('new.description'), payment.description],
            [say('customer'), ownCustomer(payment)?.name ?? null],
            [say('facts.card'), card === null ? null : `•••• ${card}`],
            [say('slip.rrn'), paid?.rrn ?? null],
            [say('slip.approval-code'), paid?.approvalCode ?? null],
          ]}
        />
        <p className="slip-warning">
          {say('slip.no-tax-receipt')} {isReal ? null : <strong>{say('slip.no-money')}</strong>}
        </p>
      </SlipPage>
    );
  }
  if (link === null) return null;
  return (
    <SlipPage {...page} title={say('slip.link')}>
      <p className="slip-amount">{amount}</p>
      <SlipFacts
        facts={[
          [say('new.description'), payment.description],
          [say('new.order'), payment.orderNumber],
          [say('read-back.until'), instant(link.expiresAt)],
        ]}
      />
      <div className="slip-pay">
        <QrCode text={link.url} name="" size={220} />
        <div>
          <p>{say('slip.how')}</p>
          <p className="slip-link">{link.url}</p>
        </div>
      </div>
      <p className="slip-warning">{say('slip.warning')}</p>
    </SlipPage>
  );
};
