import { randomUUID } from 'node:crypto';
import { parseDate } from '@internationalized/date';
import { containsCardNumber } from '../../../shared/card-number.ts';
import type { Handlers, RequestParsed } from '../../../shared/contract/contract.ts';
import { dayAt } from '../../../shared/days.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { chooseLanguage, msg, type Message } from '../../../shared/messages/message.ts';
import { readPart } from '../../../shared/operations/rules.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import {
  outcomesOf,
  recordableMovements,
  wholeOf,
} from '../../../shared/payment-reducer/recordable-movements.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { writeBytes } from '../../export/export-payments.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import { createEventHeader } from '../payments/event-header.ts';
import { findPayment, readPaymentDetail } from '../payments/payment-detail.ts';
import { cardNumberFailure } from '../payments/order-form.ts';
import { findProfile } from '../settings/find-profile.ts';

type Recorded = RequestParsed<'movements.record'>;

const refused = (path: string, message: Message): ReturnType<typeof fail> =>
  fail('input.invalid', message, { fields: [{ path, message }] });

/** The amount of a record in wire form; null: that of its movement, or none. */
const readRecordedAmount = (
  payment: Payment,
  { movement, kind, outcome, paymentId, amount }: Recorded,
): Result<string | null> => {
  if (outcome !== 'carried-out') return ok(null);
  if (amount === null) {
    const known = recordableMovements(payment).find(({ id }) => id === movement)?.amount ?? null;
    return known === null ? refused('amount', msg('operation-form.missing.amount')) : ok(null);
  }
  const { currency } = payment;
  if ('whole' in amount) {
    const whole = wholeOf(payment, kind, paymentId);
    return whole === null ? refused('amount', msg('operation.no.amount-unknown')) : ok(whole);
  }
  const most = wholeOf(payment, 'chargeback', paymentId);
  return currency === null || most === null
    ? refused('amount', msg('operation.no.amount-unknown'))
    : readPart(amount, { currency, payment: most, most, money: wire => `${currency} ${wire}` });
};

/** Years from now within which the deadline of a chargeback is. */
const maxYearsAhead = 2;

/** A whole day in a calendar file (RFC 5545), with a reminder two days before. `day`: an ISO date. */
const calendarOf = (day: string, title: string, now: number): string => {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const text = title.replaceAll(/[\\;,]/g, sign => `\\${sign}`).replaceAll(/\s+/g, ' ');
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Counterfoil//EN',
    'BEGIN:VEVENT',
    `UID:${randomUUID()}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
    `SUMMARY:${text}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${text}`,
    'TRIGGER:-P2D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
};

/**
 * Records what the provider's dashboard shows about money after a payment, and takes such a record back. Nothing is sent.
 * Errors: `input.invalid` with its field, `input.card-number`, `payment.missing`.
 */
export const createMovementHandlers = (
  parts: Pick<
    AppDependencies,
    'log' | 'settings' | 'requester' | 'clock' | 'logFile' | 'system' | 'systemLocale'
  >,
): Pick<Handlers, `movements.${'record' | 'undo' | 'noteDispute' | 'disputeCalendar'}`> => {
  const eventHeader = createEventHeader(parts);
  return {
    'movements.record': withPaymentLog(parts, async (log, input) => {
      const { profileId, orderNumber, paymentId, movement, kind, outcome, day, text } = input;
      const profile = findProfile(parts.settings, profileId);
      if (!profile.ok) return profile;
      if (containsCardNumber(text)) return cardNumberFailure('text');
      if (text === '') return refused('text', msg('record.text.missing'));
      const found = await findPayment(log, profileId, orderNumber);
      if (!found.ok) return found;
      const payment = found.value;
      const isKnown =
        movement === null
          ? payment.paymentIds.includes(paymentId)
          : recordableMovements(payment).some(
              one => one.id === movement && one.kind === kind && one.paymentId === paymentId,
            );
      if (!isKnown) return refused('movement', msg('record.movement.gone'));
      if (!outcomesOf(kind, movement !== null).includes(outcome))
        return refused('outcome', msg('record.outcome.missing'));
      const { timeZone } = profile.value;
      const today = dayAt(parts.clock(), timeZone === '' ? undefined : timeZone);
      if (today.compare(parseDate(day)) < 0) return refused('day', msg('record.day.future'));
      const amount = readRecordedAmount(payment, input);
      if (!amount.ok) return amount;
      const body = { movement, kind, outcome, amount: amount.value, day, text, undoes: null };
      const written = await log.append([
        { ...eventHeader(profileId, orderNumber, paymentId), kind: 'movement.recorded', body },
      ]);
      return written.ok ? readPaymentDetail(log, profileId, orderNumber) : written;
    }),
    'movements.noteDispute': withPaymentLog(
      parts,
      async (log, { profileId, orderNumber, movement, respondBy, sent }) => {
        if (containsCardNumber(sent)) return cardNumberFailure('sent');
        const found = await findPayment(log, profileId, orderNumber);
        if (!found.ok) return found;
        const about = recordableMovements(found.value).find(
          ({ id, kind }) => id === movement && kind === 'chargeback',
        );
        if (!about) return refused('movement', msg('record.movement.gone'));
        const day = respondBy === null ? null : parseDate(respondBy);
        const latest = dayAt(parts.clock()).add({ years: maxYearsAhead });
        if (day && (day.compare(dayAt(found.value.firstAt)) < 0 || day.compare(latest) > 0))
          return refused('respondBy', msg('dispute.respond-by.span', { years: maxYearsAhead }));
        const written = await log.append([
          {
            ...eventHeader(profileId, orderNumber, about.paymentId),
            kind: 'dispute.noted',
            body: { movement, respondBy, sent },
          },
        ]);
        return written.ok ? readPaymentDetail(log, profileId, orderNumber) : written;
      },
    ),
    'movements.disputeCalendar': withPaymentLog(
      parts,
      async (log, { profileId, orderNumber }): Promise<Result<{ file: string | null }>> => {
        const found = await findPayment(log, profileId, orderNumber);
        if (!found.ok) return found;
        const respondBy = found.value.dispute?.respondBy ?? null;
        if (respondBy === null) return refused('respondBy', msg('dispute.no-deadline'));
        const chosen = await chooseSaveFile(parts, `chargeback-${respondBy}.ics`);
        if (!chosen.ok || chosen.value === null) return chosen.ok ? ok({ file: null }) : chosen;
        const { language, locale } = chooseLanguage(
          parts.settings.read().settings.language,
          parts.systemLocale,
        );
        const format = formatterFor(language, locale);
        const text = calendarOf(
          respondBy,
          format(msg('dispute.calendar', { order: orderNumber })),
          parts.clock(),
        );
        const written = await writeBytes(chosen.value, async () => Buffer.from(text));
        return written.ok ? ok({ file: chosen.value }) : written;
      },
    ),
    'movements.undo': withPaymentLog(parts, async (log, { profileId, orderNumber, recorded }) => {
      const events = await log.events(profileId, orderNumber);
      const records = events.filter(event => event.kind === 'movement.recorded');
      const record = records.find(({ id, body }) => id === recorded && body.undoes === null);
      if (!record || records.some(({ body }) => body.undoes === recorded))
        return fail('input.invalid', msg('record.undo.gone'));
      const body = { ...record.body, text: '', undoes: recorded };
      const written = await log.append([
        { ...eventHeader(profileId, orderNumber, record.paymentId), kind: 'movement.recorded', body },
      ]);
      return written.ok ? readPaymentDetail(log, profileId, orderNumber) : written;
    }),
  };
};
