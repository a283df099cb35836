import { DateFormatter } from '@internationalized/date';
import type { PaymentFilter } from '../../shared/contract/contract.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import type { Merchant } from '../../shared/settings/profile.ts';
import type { ChainEnd } from '../payment-log/answers.ts';
import type { Period } from '../../shared/reports/payment-books.ts';
import type { ReportContext } from './report-context.ts';
import { sheetOf, textCell, type Sheet, type SheetCell } from './sheet.ts';

/** Where the data of a report comes from. */
export type ReportFacts = {
  /** The merchant as printed; null for several profiles. */
  merchant: Merchant | null;
  /** The profile and its kind, or that there are all. */
  profile: Message;
  contents: 'period' | 'list' | 'selected' | 'review' | 'figures' | 'month';
  /** Null: none, or not applicable. */
  filter: PaymentFilter | null;
  createdBy: string;
  /** Of a month: who closed it, and when. */
  closing?: string;
  /** What the payments on this computer lack; empty: nothing. */
  missing: readonly Message[];
  /** The ends of the payment log's chains. */
  ends: readonly ChainEnd[];
  /** The name of the signed head beside the file. */
  headFile: string;
};

/** The name of who wrote an event. */
export const agentText = (agent: string, { format }: Pick<ReportContext, 'format'>): string =>
  agent === 'console' ? format(msg('actor.console')) : agent;

/** The days of a period, both included, in words of the locale. */
export const periodText = (period: Period, { locale, zone, format }: ReportContext): string => {
  const day = new DateFormatter(locale, { dateStyle: 'long', timeZone: zone });
  const from = day.format(new Date(period.from));
  const until = day.format(new Date(period.until - 1));
  return from === until ? from : format(msg('export.range', { from, until }));
};

/** A filter in words; null if it has no condition but the profile. */
export const filterText = (filter: PaymentFilter, context: ReportContext): string | null => {
  const { format, locale, zone } = context;
  const day = new DateFormatter(locale, { dateStyle: 'medium', timeZone: zone });
  const list = (texts: readonly string[]): string => texts.join(', ');
  const open = format(msg('export.filter.open'));
  const { words, states, currency, flags, raisedHere, agent, from, until } = filter;
  const parts: Message[] = [
    ...(words === '' ? [] : [msg('export.filter.words', { words })]),
    ...(states.length === 0
      ? []
      : [msg('query.states', { states: list(states.map(state => format(msg(`state.${state}`)))) })]),
    ...(currency === null ? [] : [msg('query.currency', { currency })]),
    ...(flags.length === 0
      ? []
      : [msg('query.flags', { flags: list(flags.map(flag => format(msg(`flag.${flag}`)))) })]),
    ...(raisedHere === null ? [] : [msg(raisedHere ? 'query.created.here' : 'query.created.elsewhere')]),
    ...(agent === null ? [] : [msg('query.agent', { agent })]),
    ...(from === null && until === null
      ? []
      : [
          msg('export.filter.created', {
            from: from === null ? open : day.format(new Date(from)),
            until: until === null ? open : day.format(new Date(until - 1)),
          }),
        ]),
  ];
  return parts.length === 0 ? null : parts.map(format).join('; ');
};

/** The facts about a report, in reading order. */
export const aboutLines = (
  facts: ReportFacts,
  context: ReportContext,
): { label: string; value: NonNullable<SheetCell> }[] => {
  const { format, zone, now, period } = context;
  const { merchant, filter, contents, closing, missing, ends, headFile } = facts;
  const text = (label: Message, value: string) => ({
    label: format(label),
    value: { kind: 'text' as const, text: value },
  });
  const sentence = (label: Message, value: Message) => text(label, format(value));
  return [
    ...(merchant ? [text(msg('export.about.merchant'), merchant.name)] : []),
    ...(merchant && merchant.address.length > 0
      ? [text(msg('export.about.address'), merchant.address.join(', '))]
      : []),
    ...(merchant?.phone ? [text(msg('profile.merchant.phone'), merchant.phone)] : []),
    sentence(msg('column.profile'), facts.profile),
    sentence(msg('export.about.contents'), msg(`export.about.contents.${contents}`)),
    ...(period ? [text(msg('export.about.period'), periodText(period, context))] : []),
    text(msg('export.about.zone'), zone),
    ...(filter
      ? [
          text(
            msg('export.about.filter'),
            filterText(filter, context) ?? format(msg('export.about.filter.none')),
          ),
        ]
      : []),
    ...(closing === undefined ? [] : [text(msg('month-end.report'), closing)]),
    text(msg('export.about.by'), agentText(facts.createdBy, context)),
    { label: format(msg('export.about.at')), value: { kind: 'time', at: now, zone } },
    { label: format(msg('export.about.at-utc')), value: { kind: 'time', at: now, zone: 'UTC' } },
    ...missing.map(one => sentence(msg('export.about.missing'), one)),
    sentence(msg('export.about.note'), msg('export.about.not-counted')),
    // A month has those of its statements.
    ...(contents === 'month' ? [] : [sentence(msg('export.about.note'), msg('export.about.fees'))]),
    ...ends.map(({ writer, seq, hash }) => text(msg('export.about.head'), `${writer} ${seq} ${hash}`)),
    sentence(msg('export.about.proof'), msg('export.about.proof.text', { file: headFile })),
  ];
};

/** The sheet that says where the data comes from. */
export const aboutSheet = (facts: ReportFacts, context: ReportContext): Sheet => ({
  ...sheetOf(
    'export.sheet.about',
    [
      ['export.about.item', 28],
      ['export.about.value', 90],
    ],
    aboutLines(facts, context).map(({ label, value }) => [textCell(label), value]),
    context,
  ),
  hasFilter: false,
});
