import {
  AlarmClock,
  CheckCheck,
  ChevronRight,
  CircleCheck,
  CircleHelp,
  CircleX,
  ClipboardPen,
  Eraser,
  FilePenLine,
  Forward,
  Gavel,
  Merge,
  ReceiptText,
  Scale,
  ScanSearch,
  RotateCcw,
  Send,
  Split,
  Unlink,
  UserPlus,
  UserRound,
  Webhook,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { Event, EventKind } from '../../../shared/payments/evidence.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { Button as ActionButton } from '../../components/controls/button.tsx';
import { CodeBlock } from '../../components/display/code-block.tsx';
import { Time } from '../../components/display/values.tsx';
import { VerificationMark } from '../../components/display/marks.tsx';
import { usePayment } from '../../queries/payment.ts';
import { agentName, dateFormat, useDay, useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { useInstallationLabel } from '../../stores/use-installation-label.ts';
import { callbackOutcome, statusOutcome } from '../../../shared/callbacks/outcome-labels.ts';
import { deliveryTimes, timelineItemsOf, type TimelineItem } from './timeline-groups.ts';

const icons: Readonly<Record<EventKind, ReactNode>> = {
  'session.requested': <Send size={14} />,
  'session.accepted': <CircleCheck size={14} />,
  'session.refused': <CircleX size={14} />,
  'session.unanswered': <CircleHelp size={14} />,
  'operation.requested': <Send size={14} />,
  'operation.answered': <CircleCheck size={14} />,
  'operation.refused': <CircleX size={14} />,
  'operation.unanswered': <CircleHelp size={14} />,
  'movement.recorded': <ClipboardPen size={14} />,
  'callback.received': <Webhook size={14} />,
  'callback.reverified': <Gavel size={14} />,
  'status.observed': <ScanSearch size={14} />,
  'note.added': <FilePenLine size={14} />,
  'link.shared': <Forward size={14} />,
  'link.withdrawn': <Unlink size={14} />,
  'customer.joined': <Merge size={14} />,
  'customer.separated': <Split size={14} />,
  'review.resolved': <CheckCheck size={14} />,
  'review.reopened': <RotateCcw size={14} />,
  'review.assigned': <UserPlus size={14} />,
  'review.snoozed': <AlarmClock size={14} />,
  amended: <Eraser size={14} />,
  'activity.recorded': <UserRound size={14} />,
  'dispute.noted': <Scale size={14} />,
  'statement.recorded': <ReceiptText size={14} />,
};

const fieldOf = (event: Event & { kind: 'callback.received' }, name: string): string =>
  event.body.fields.find(([field]) => field === name)?.[1] ?? '–';

/** A one-line title of an event. */
const titleOf = (event: Event, locale: string, t: Translate): string => {
  switch (event.kind) {
    case 'session.requested':
      return t('event.session.requested', {
        amount: formatMoney(event.body.amount, event.body.currency, locale),
      });
    case 'session.accepted':
      return t('event.session.accepted');
    case 'operation.requested': {
      const { operation, amount, currency } = event.body;
      return t(`event.operation.requested.${operation}`, {
        amount: amount === null ? '' : formatMoney(amount, currency, locale),
      });
    }
    case 'operation.answered':
      return t(`event.operation.answered.${event.body.report.claim}`);
    case 'operation.refused':
    case 'session.refused':
      return event.body.sent ? t('event.session.refused') : t('event.session.not-sent');
    case 'operation.unanswered':
    case 'session.unanswered':
      return t('event.session.unanswered');
    case 'movement.recorded':
      return event.body.undoes === null
        ? t(`event.movement.recorded.${event.body.outcome}`)
        : t('event.movement.undone');
    case 'callback.received': {
      // What an unverified callback claims is no fact of this payment.
      if (event.body.verification.verdict !== 'verified') return t('event.callback.not-verified');
      const [type, status] = [fieldOf(event, 'type'), fieldOf(event, 'status')];
      const outcome = callbackOutcome(type, status);
      return outcome === null
        ? t('event.callback.received', { type, status })
        : t('event.callback.outcome', { outcome: t(outcome) });
    }
    case 'callback.reverified':
      return t('event.callback.reverified');
    case 'status.observed': {
      const outcomes = event.body.answers.map(({ status }) => {
        const outcome = statusOutcome(status);
        return outcome === null ? status : t(outcome);
      });
      return outcomes.length === 0
        ? t('event.status.failed')
        : t('event.status.observed', { outcome: outcomes.join(', ') });
    }
    case 'note.added':
      return t('event.note.added');
    case 'link.shared':
      return t(`link-shared.${event.body.channel}`);
    case 'link.withdrawn':
      return t('event.link.withdrawn');
    case 'customer.joined':
      return t('event.customer.joined', { order: event.body.otherOrder });
    case 'customer.separated':
      return t('event.customer.separated');
    case 'review.resolved':
      return t('event.review.resolved');
    case 'review.reopened':
      return t('event.review.reopened');
    case 'review.assigned':
      return event.body.assignee === null
        ? t('event.review.unassigned')
        : t('event.review.assigned', { name: event.body.assignee });
    case 'review.snoozed':
      return event.body.until === null
        ? t('event.review.unsnoozed')
        : t('event.review.snoozed', {
            until: dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(event.body.until),
          });
    case 'amended':
      return t('event.amended');
    case 'dispute.noted':
      return t('event.dispute.noted');
    case 'statement.recorded':
    case 'activity.recorded':
      return t('event.activity');
    default:
      return event satisfies never;
  }
};

/** The details that are visible without opening the entry. */
const detailOf = (event: Event, t: Translate, day: (iso: string) => string): ReactNode => {
  switch (event.kind) {
    case 'session.requested':
      return event.body.options?.recurring ? t('new.recurring') : null;
    case 'operation.requested': {
      const { reason, text, approvedBy, charge } = event.body;
      const consent = charge ? t('event.operation.consent', { consent: charge.consent }) : '';
      const approved = approvedBy === null ? '' : t('operation.approved-by', { name: approvedBy });
      return [t(`operation-reason.${reason}`), text, consent, approved]
        .filter(part => part !== '')
        .join(' · ');
    }
    case 'movement.recorded':
      return [day(event.body.day), event.body.text].filter(part => part !== '').join(' · ');
    case 'operation.answered':
      return event.body.report.reason;
    case 'operation.refused':
    case 'operation.unanswered':
    case 'session.refused':
    case 'session.unanswered':
      return event.body.message;
    case 'callback.received': {
      const reason = event.body.fields.find(([name]) => name === 'reason')?.[1];
      return (
        <>
          <VerificationMark verification={event.body.verification} /> {t(`via.${event.body.via}`)}
          {reason === undefined ? '' : ` · ${t('reason', { reason })}`}
        </>
      );
    }
    case 'callback.reverified':
      return <VerificationMark verification={event.body.verification} />;
    case 'status.observed':
      return (
        event.body.problem?.message ??
        t(`looked-up-by.${event.body.asked.by}`, { value: firstOf(event.body.asked.value) })
      );
    case 'dispute.noted':
      return [event.body.respondBy && day(event.body.respondBy), event.body.sent].filter(Boolean).join(' · ');
    case 'note.added':
      return event.body.text;
    case 'link.withdrawn':
      return [t(`withdrawal.${event.body.reason}`), event.body.text].filter(text => text !== '').join(' · ');
    case 'review.resolved':
      return [t(`resolution.${event.body.reason}`), event.body.text].filter(text => text !== '').join(' · ');
    default:
      return null;
  }
};

/** A UUID by its first characters, which tell those of an order apart: the whole one is in the raw evidence. */
const firstOf = (id: string): string => id.replace(/^([\da-f]{8})(-[\da-f]{4}){3}-[\da-f]{12}$/i, '$1 …');

/** The raw evidence, without what the title already contains. */
const rawOf = (event: Event): { name: string; text: string }[] => {
  switch (event.kind) {
    case 'operation.requested':
    case 'session.requested':
      return [{ name: `POST ${event.body.endpoint}`, text: event.body.request }];
    case 'operation.answered':
    case 'session.accepted':
      return [{ name: `HTTP ${event.body.answer.httpStatus ?? '–'}`, text: event.body.answer.body }];
    case 'operation.refused':
    case 'operation.unanswered':
    case 'session.refused':
    case 'session.unanswered':
    case 'status.observed':
      return event.body.answer
        ? [{ name: `HTTP ${event.body.answer.httpStatus ?? '–'}`, text: event.body.answer.body }]
        : [];
    case 'callback.received':
      return [
        {
          name: event.body.form,
          text: event.body.fields.map(([name, value]) => `${name}=${value}`).join('\n'),
        },
      ];
    default:
      return [];
  }
};

const Entry = ({ event, deliveries, isUndone }: TimelineItem & { isUndone: boolean }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const takeBack = usePayment(store => store.takeBack);
  const detail = detailOf(event, t, useDay());
  const raw = rawOf(event);
  const installation = useInstallationLabel()(event.writer);
  const agent = agentName(event.agent, t);
  const who = installation === null ? agent : t('team.at', { agent, installation });
  return (
    <Disclosure className="entry tracks gap-3 relative">
      <div
        className={`entry-dot lined round centred on-sunken muted of-${event.kind.split('.')[0]}`}
        aria-hidden="true"
      >
        {icons[event.kind]}
      </div>
      <div className="entry-body">
        <div className="entry-head row wrap at-baseline">
          <Heading level={3} className="entry-title">
            <Button
              slot="trigger"
              className="entry-button middle gap-1 no-border rounded-s bold text-start pointer hovers"
            >
              <span>{titleOf(event, locale, t)}</span>
              <ChevronRight size={14} aria-hidden="true" className="entry-chevron" />
            </Button>
          </Heading>
          <span className="small muted break entry-detail grow">{detail}</span>
          <span className="quiet small">
            {who} · <Time at={event.happenedAt} />
          </span>
        </div>
        {event.kind === 'movement.recorded' && event.body.undoes === null && !isUndone ? (
          <ActionButton
            size="small"
            variant="quiet"
            request="movements.undo"
            onPress={() => void takeBack(event.id)}
          >
            {t('record.undo')}
          </ActionButton>
        ) : null}
        {deliveries.length > 1 ? (
          <div className="small entry-detail">
            <span className="tag">{t('timeline.deliveries', { count: deliveries.length })}</span>{' '}
            <span className="quiet figures">{deliveryTimes(deliveries, locale)}</span>
          </div>
        ) : null}
        <DisclosurePanel className="entry-raw">
          <div className="stack tight">
            {raw.map(({ name, text }) => (
              <CodeBlock key={name} name={name} text={text} />
            ))}
            {deliveries.length > 1 ? (
              <ol className="deliveries small">
                {deliveries.slice(0, 100).map(delivery => (
                  <li key={delivery.id}>
                    <Time at={delivery.happenedAt} clock />{' '}
                    {delivery.kind === 'callback.received' ? t(`via.${delivery.body.via}`) : null}
                  </li>
                ))}
              </ol>
            ) : null}
            <CodeBlock name={t('event.raw')} text={JSON.stringify(event)} />
          </div>
        </DisclosurePanel>
      </div>
    </Disclosure>
  );
};

/** Entries before the others are asked for. */
const maxShown = 6;

/** The events of a payment, newest first, with agent and time; each entry opens to its raw form. */
export const Timeline = ({ events, more }: { events: readonly Event[]; more: boolean }) => {
  const t = useText();
  const showEarlier = usePayment(store => store.showEarlier);
  const undone = new Set(
    events.flatMap(event => (event.kind === 'movement.recorded' ? [event.body.undoes] : [])),
  );
  const isReading = usePayment(store => store.busy === 'earlier');
  const [isWhole, setWhole] = useState(false);
  const items = timelineItemsOf(events).reverse();
  const isShort = !isWhole && items.length > maxShown + 2;
  return (
    <section className="panel" aria-label={t('timeline.name')}>
      <header>
        <h2>{t('timeline.name')}</h2>
        <span className="quiet small">{t('timeline.count', { count: events.length })}</span>
      </header>
      <div className="relative">
        {(isShort ? items.slice(0, maxShown) : items).map(happening => (
          <Entry key={happening.event.id} {...happening} isUndone={undone.has(happening.event.id)} />
        ))}
      </div>
      {isShort ? (
        <ActionButton variant="quiet" size="small" onPress={() => setWhole(true)}>
          {more ? t('timeline.earlier') : t('timeline.all', { count: events.length })}
        </ActionButton>
      ) : more ? (
        <ActionButton isPending={isReading} onPress={() => void showEarlier()}>
          {t('timeline.earlier')}
        </ActionButton>
      ) : null}
    </section>
  );
};
