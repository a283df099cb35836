import '../../styles/screens/month-end.css';
import {
  CalendarCheck,
  ChevronLeft,
  ChevronRight,
  FileSpreadsheet,
  FileText,
  FolderOpen,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { getLocalTimeZone } from '@internationalized/date';
import type {
  MonthView,
  StatementPreview,
  StatementRow,
} from '../../../shared/contract/statement-requests.ts';
import { dayAt } from '../../../shared/days.ts';
import { ActionMenu } from '../../components/controls/action-menu.tsx';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/dialog.tsx';
import { Note, PageError } from '../../components/display/notes.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useTask } from '../../forms/form.tsx';
import { dateFormat, useLocaleChoice, useText } from '../../i18n/text.ts';
import { currentTime } from '../../i18n/time-left.ts';
import { request } from '../../ipc-client.ts';
import { useActiveProfileId } from '../../stores/app-state-store.ts';
import { useExport } from '../../stores/reports/export-store.ts';
import { go } from '../../stores/route-store.ts';
import { AgreementLists, OpenDifferences } from './agreement-lists.tsx';
import { DecideSheet, ImportSheet } from './month-sheets.tsx';
import { Changes, ClosingState, Figures, isChanged, Payouts, Statements } from './month-panels.tsx';
import { createQuery } from '../../queries/create-query.ts';

/** Delay after a change of payments, milliseconds: comparing a month reads all of its payments. */
const throttleMs = 3_000;

/** A month compared with its statements. */
const monthQuery = createQuery<{ profileId: string; month: string }, MonthView>({
  read: of => request('statements.month', of),
  on: ['payments.changed'],
  throttleMs,
});

/** The month that is being closed: the last one until the middle of the next. */
const usualMonth = (): string =>
  dayAt(currentTime(), getLocalTimeZone()).subtract({ days: 15 }).toString().slice(0, 7);

const movedBy = (month: string, by: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 15)).toISOString().slice(0, 7);
};

/** A month: what the console, the provider and the bank say, and where they differ. `month`: null for the usual one. */
export const MonthEndScreen = ({ month: given }: { month: string | null }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const profileId = useActiveProfileId();
  const [usual] = useState(usualMonth);
  const month = given ?? usual;
  const key = { profileId: profileId ?? '', month };
  const { value: view, problem, isReading } = monthQuery.use(profileId === null ? null : key);
  const [preview, setPreview] = useState<StatementPreview | null>(null);
  const [deciding, setDeciding] = useState<StatementRow | null>(null);
  const [withdrawing, setWithdrawing] = useState<string | null>(null);
  const [untying, setUntying] = useState<StatementRow | null>(null);
  const [isClosing, setClosing] = useState(false);
  const changes = useRef<HTMLElement>(null);
  const task = useTask();
  if (profileId === null) return null;
  const show = (next: MonthView): void => monthQuery.update(key, () => next);
  const decide = (
    decided: Pick<StatementRow, 'statement' | 'line' | 'movement'> & {
      decision: 'tied' | 'untied' | 'explained' | 'withdrawn';
      text: string;
    },
  ): void => void task.send(() => request('statements.decide', { ...key, ...decided }), show);
  const open = (): void => void task.send(() => request('statements.open', { profileId }), setPreview);
  const report = (format: 'pdf' | 'xlsx') => (): void =>
    void useExport.getState().run(async () => {
      const written = await request('statements.report', { ...key, format });
      return written.ok ? { ok: true, value: { ...written.value, written: null } } : written;
    });
  const name = dateFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-15`),
  );
  return (
    <Screen
      title={t('month-end.report')}
      label={t('month-end.report')}
      lead={
        <span className="line gap-1">
          <IconButton
            name={t('month-end.earlier')}
            icon={<ChevronLeft size={14} />}
            onPress={() => go({ screen: 'month-end', month: movedBy(month, -1) })}
          />
          {name}
          <IconButton
            name={t('month-end.later')}
            icon={<ChevronRight size={14} />}
            onPress={() => go({ screen: 'month-end', month: movedBy(month, 1) })}
          />
        </span>
      }
      actions={
        <>
          <Button request="statements.open" variant="primary" icon={FolderOpen} onPress={open}>
            {t('month-end.open')}
          </Button>
          <Button request="statements.closeMonth" icon={CalendarCheck} onPress={() => setClosing(true)}>
            {t('month-end.close')}
          </Button>
          <ActionMenu
            label={t('month-end.export')}
            actions={[
              { id: 'pdf', name: t('month-end.export.pdf'), icon: FileText, act: report('pdf') },
              { id: 'xlsx', name: t('month-end.export.xlsx'), icon: FileSpreadsheet, act: report('xlsx') },
            ]}
          />
        </>
      }
    >
      <PageError error={task.problem} />
      <PageError error={problem} isEmpty={view === null} />
      <output className="out-of-sight">{isReading || task.isBusy ? t('month-end.reading') : ''}</output>
      {view === null ? null : (
        <>
          <section className="panel stack">
            <div className="closing-state line wrap spread">
              <h2>{t('month-end.sheet.sums')}</h2>
              <ClosingState closed={view.closed} onShow={() => changes.current?.focus()} />
            </div>
            <Figures view={view} />
          </section>
          {view.statements.length === 0 ? (
            <p className="muted measure">{t('month-end.empty')}</p>
          ) : (
            <>
              <AgreementLists view={view} onDecide={setDeciding} onUntie={setUntying} />
              <Payouts view={view} />
              <Statements view={view} onWithdraw={setWithdrawing} />
            </>
          )}
          {view.closed !== null && isChanged(view.closed) ? (
            <Changes closed={view.closed} panel={changes} />
          ) : null}
        </>
      )}
      {preview === null ? null : (
        <ImportSheet
          preview={preview}
          onPreview={setPreview}
          onClose={() => {
            setPreview(null);
            void request('statements.close', {});
          }}
          onImported={imported => {
            setPreview(null);
            if (imported === month) void monthQuery.read(key);
            else go({ screen: 'month-end', month: imported });
          }}
        />
      )}
      {deciding === null ? null : (
        <DecideSheet
          row={deciding}
          rows={view?.rows ?? []}
          onClose={() => setDeciding(null)}
          onDecide={decided => {
            setDeciding(null);
            decide(decided);
          }}
        />
      )}
      <ConfirmDialog
        title={t('month-end.withdraw.title')}
        isOpen={withdrawing !== null}
        confirm={t('month-end.withdraw.do')}
        onClose={() => setWithdrawing(null)}
        onConfirm={() => {
          decide({ statement: withdrawing, line: null, movement: null, decision: 'withdrawn', text: '' });
          setWithdrawing(null);
        }}
      >
        <p>{t('month-end.withdraw.text')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={t('month-end.untie.title')}
        isOpen={untying !== null}
        variant="primary"
        confirm={t('month-end.untie')}
        onClose={() => setUntying(null)}
        onConfirm={() => {
          if (untying !== null) {
            const { statement, line, movement } = untying;
            decide({ statement, line, movement, decision: 'untied', text: '' });
          }
          setUntying(null);
        }}
      >
        <p>{t('month-end.untie.text', { line: untying?.line ?? 0, order: untying?.orderNumber ?? '' })}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={t('month-end.close.title', { month: name })}
        isOpen={isClosing}
        variant="primary"
        confirm={t('month-end.close.do')}
        onClose={() => setClosing(false)}
        onConfirm={() => {
          setClosing(false);
          void task.send(() => request('statements.closeMonth', key), show);
        }}
      >
        {view === null ? null : (
          <>
            {dayAt(currentTime(), view.zone).toString().slice(0, 7) > month ? null : (
              <Note tone="warning">{t('month-end.close.not-over', { month: name })}</Note>
            )}
            <OpenDifferences view={view} />
          </>
        )}
        <p>{t('month-end.close.text')}</p>
      </ConfirmDialog>
    </Screen>
  );
};
