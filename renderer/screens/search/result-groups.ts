import {
  ListTree,
  Plus,
  ScanSearch,
  ChartNoAxesColumn,
  FileCheck,
  FileSpreadsheet,
  FileText,
  NotebookPen,
} from 'lucide-react';
import { useMemo } from 'react';
import { dayAt, startOf } from '../../../shared/days.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import { useLocaleChoice, useText, type Translate, dateFormat } from '../../i18n/text.ts';
import { useClock } from '../../stores/clock-store.ts';
import { go } from '../../stores/route-store.ts';
import { matchGroups } from '../../stores/search/match-words.ts';
import {
  maxResults,
  type CustomerHit,
  type PaymentHit,
  type SearchResults,
} from '../../queries/search-results.ts';
import { searchList } from '../../stores/search/search-box-store.ts';
import type { Command } from './command.ts';
import { commandGroups, useCommands } from './commands.ts';
import { endOfMonth, startOfMonth } from '@internationalized/date';
import { languages } from '../../../shared/messages/message.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { Period } from '../../../shared/reports/periods.ts';
import { paymentQuery, usePayment } from '../../queries/payment.ts';
import { useExportDialog } from '../../stores/reports/export-store.ts';

/** How far back months are offered by name. */
const maxMonths = 36;

/** Opens a payment, and exports its evidence once it is read. */
const exportEvidence = async ({ profileId, orderNumber }: PaymentRow): Promise<void> => {
  const key = { profileId, orderNumber };
  go({ screen: 'payment', ...key });
  usePayment.getState().open(key);
  const { value } = await paymentQuery.read(key);
  const { key: open } = usePayment.getState();
  // Another payment was opened meanwhile.
  if (value !== null && open !== null && paymentKey(open) === paymentKey(key))
    await usePayment.getState().writeDossier();
};

/** The evidence of a payment, as a document. */
const evidenceOf = (t: Translate, row: PaymentRow): Command => ({
  id: `evidence ${paymentKey(row)}`,
  name: t('results.evidence', { order: row.orderNumber }),
  icon: FileCheck,
  run: () => void exportEvidence(row),
});

/** The documents that people keep, newest month first. `now` in milliseconds. */
const documentsOf = (t: Translate, locale: string, now: number): Command[] => {
  const { open } = useExportDialog.getState();
  const today = dayAt(now);
  const formats = [locale, ...languages].map(language =>
    dateFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  );
  const months = Array.from({ length: maxMonths }, (_, back) => {
    const first = startOfMonth(today).subtract({ months: back });
    const period: Period =
      back === 0
        ? 'month'
        : back === 1
          ? 'last-month'
          : `${first.toString()}..${endOfMonth(first).toString()}`;
    const [month = '', ...others] = formats.map(format => format.format(first.toDate('UTC')));
    const named = period === 'month' || period === 'last-month' ? t(`overview.period.${period}`) : '';
    return { period, month, also: [...others, named].join(' ') };
  });
  return [
    ...months.flatMap(({ period, month, also }) =>
      (['pdf', 'xlsx'] as const).map(format => ({
        id: `${format} ${period}`,
        name: t(format === 'pdf' ? 'results.statement' : 'results.workbook', { month }),
        also: `${also} ${t(`export.format.${format}`)}`,
        icon: format === 'pdf' ? FileText : FileSpreadsheet,
        run: () => open({ kind: 'period', chosen: { period, format } }),
      })),
    ),
    {
      id: 'handover note',
      name: t('nav.handover-note'),
      icon: NotebookPen,
      run: () => go({ screen: 'handover-note' }),
    },
    {
      id: 'figures',
      name: t('export.what.figures'),
      icon: ChartNoAxesColumn,
      run: () => open({ kind: 'figures', period: 'month' }),
    },
  ];
};

/** One result: what its line shows, and what choosing it does. */
export type Result = { id: string; name: string; run: () => void } & (
  | { kind: 'payment'; hit: PaymentHit; withAnswer: boolean }
  | { kind: 'customer'; customer: CustomerHit }
  | { kind: 'command'; command: Command }
);

export type ResultGroup = { id: string; name: string; results: Result[] };

/** Length from which documents are offered, characters. */
const minDocumentChars = 3;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** What a status check can look up: a payment id anywhere in the text, or an order number; null if neither. */
const lookUpKeyIn = (text: string): { by: 'payment-id' | 'order-number'; value: string } | null => {
  const [paymentId] = uuid.exec(text) ?? [];
  if (paymentId !== undefined) return { by: 'payment-id', value: paymentId };
  const looksLikeOrder = /^(?=.*\d)[^\s@]{3,64}$/.test(text) && !/^[\d.,]+$/.test(text);
  return looksLikeOrder ? { by: 'order-number', value: text } : null;
};

const ofCommand = (command: Command, before = ''): Result => ({
  kind: 'command',
  id: `${before}${command.id}`,
  name: command.name,
  run: command.run,
  command,
});

const ofPayment = (hit: PaymentHit, withAnswer: boolean): Result => {
  const { profileId, orderNumber } = hit.row;
  return {
    kind: 'payment',
    id: `payment ${paymentKey(hit.row)}`,
    name: orderNumber,
    run: () => go({ screen: 'payment', profileId, orderNumber }),
    hit,
    withAnswer,
  };
};

const ofCustomer = (customer: CustomerHit): Result => {
  const { profileId, orderNumber, name, email, phone } = customer;
  return {
    kind: 'customer',
    id: `customer ${paymentKey(customer)}`,
    name: name ?? email ?? phone ?? orderNumber,
    run: () => go({ screen: 'customer', profileId, orderNumber }),
    customer,
  };
};

/**
 * What the typed words find, in groups of at most six; without words the last results, places and actions. `which`:
 * `others` is without payments. `recent`: ids of commands, newest first.
 */
export const useResultGroups = ({
  words,
  found,
  which,
  recent,
  onShortcuts,
}: {
  words: string;
  found: SearchResults;
  which: 'all' | 'others';
  recent: readonly string[];
  onShortcuts: () => void;
}): ResultGroup[] => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const day = useClock(({ wallClock }) => startOf(dayAt(wallClock)));
  const commands = useCommands(onShortcuts);
  const documents = useMemo(() => documentsOf(t, locale, day), [t, locale, day]);
  const typed = words.trim();
  const all = { ...commands, documents };
  const section = (id: string, name: string, results: Result[]): ResultGroup[] =>
    results.length === 0 ? [] : [{ id, name, results: results.slice(0, maxResults) }];
  if (typed === '') {
    const every = commandGroups.flatMap(group => all[group]);
    const last = recent.flatMap(id => every.find(command => command.id === id) ?? []);
    return [
      ...section(
        'payment',
        t('results.payment'),
        all.payment.map(command => ofCommand(command)),
      ),
      ...section(
        'recent',
        t('results.recent'),
        last.map(command => ofCommand(command, 'recent ')),
      ),
      ...(['places', 'actions'] as const).flatMap(group =>
        section(
          group,
          t(`results.${group}`),
          all[group].map(command => ofCommand(command)),
        ),
      ),
    ];
  }
  const hits = which === 'all' ? found.hits : [];
  const [only] = hits.length === 1 && !found.more ? hits : [];
  // Each month has two: one letter would fill the group with them.
  const matched = matchGroups(typed.length < minDocumentChars ? { ...all, documents: [] } : all, typed);
  const [first, ...others] = commandGroups.map(group => ({
    group,
    commands: [
      ...(group === 'documents' && only !== undefined ? [evidenceOf(t, only.row)] : []),
      ...matched[group],
    ],
  }));
  const groups = [
    ...section(
      'payment',
      t('results.payment'),
      (first?.commands ?? []).map(command => ofCommand(command)),
    ),
    ...section(
      'payments',
      t('nav.payments'),
      hits.map(hit => ofPayment(hit, hit === only)),
    ),
    ...section('customers', t('results.customers'), found.customers.map(ofCustomer)),
    ...others.flatMap(({ group, commands: found }) =>
      section(
        group,
        t(`results.${group}`),
        found.map(command => ofCommand(command)),
      ),
    ),
  ];
  if (which === 'all' && found.more)
    groups
      .find(({ id }) => id === 'payments')
      ?.results.push(
        ofCommand({
          id: 'all payments',
          name: t('results.all'),
          icon: ListTree,
          run: () => searchList(typed),
        }),
      );
  // While results are on their way, nothing is reported as missing.
  if (found.words !== typed || hits.length > 0) return groups;
  const key = lookUpKeyIn(typed);
  const further: Command[] = [
    ...(key === null
      ? []
      : [
          {
            id: 'look up',
            name: t('results.look-up', { value: key.value }),
            icon: ScanSearch,
            run: () => go({ screen: 'look-up', ...key }),
          },
        ]),
    ...(groups.length > 0
      ? []
      : [{ id: 'new payment', name: t('nav.new'), icon: Plus, run: () => go({ screen: 'new' }) }]),
  ];
  const nothing =
    groups.length > 0
      ? t('results.gateway')
      : t(which === 'others' ? 'results.nothing-else' : 'results.nothing');
  return [
    ...groups,
    ...section(
      'nothing',
      nothing,
      further.map(command => ofCommand(command)),
    ),
  ];
};
