import { useEffect, useState } from 'react';
import { Download, ListChecks, RefreshCw } from 'lucide-react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import {
  reconciliationCauses,
  type ReconciliationCause,
  type ReconciliationCount,
} from '../../../shared/reports/reconcile.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Empty } from '../../components/display/note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { request } from '../../ipc-client.ts';
import { useClock } from '../../stores/clock.ts';
import { useActiveProfile } from '../../stores/app-state.ts';
import { useReconciliation, type Queued } from '../../stores/reports/reconciliation.ts';
import { go, goInPlace } from '../../stores/route.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { NewLinkQuestion } from '../payment/link/new-link-question.tsx';
import { Group } from './group.tsx';

/** The existing causes, with the number of payments under each. */
const CauseChips = ({
  counts,
  cause,
}: {
  counts: readonly ReconciliationCount[];
  cause: ReconciliationCause | null;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  if (counts.length < 2 && cause === null) return null;
  const offered = reconciliationCauses.filter(
    one => one === cause || counts.some(count => count.cause === one),
  );
  return (
    <ToggleButtonGroup
      className="chips"
      aria-label={t('reconciliation.causes')}
      selectionMode="single"
      selectedKeys={cause === null ? [] : [cause]}
      onSelectionChange={keys =>
        goInPlace({
          screen: 'reconciliation',
          cause: reconciliationCauses.find(one => keys.has(one)) ?? null,
        })
      }
    >
      {offered.map(one => {
        const found = counts.find(count => count.cause === one);
        return (
          <ToggleButton key={one} id={one} className="chip small">
            {t(`cause.${one}`)}
            <span className="chip-count">
              {new Intl.NumberFormat(locale).format(found?.count ?? 0)}
              {found?.more ? '+' : ''}
            </span>
          </ToggleButton>
        );
      })}
    </ToggleButtonGroup>
  );
};

/** Exports the complete queue to a file that the user chooses. */
const ExportQueue = ({ profileId, cause }: { profileId: string; cause: ReconciliationCause | null }) => {
  const t = useText();
  const [outcome, setOutcome] = useState('');
  const [busy, setBusy] = useState(false);
  const write = async (): Promise<void> => {
    setBusy(true);
    const written = await request('payments.exportReconciliation', { profileId, cause });
    setBusy(false);
    if (!written.ok) setOutcome(`${t(`error.${written.error.code}`)} ${t(`hint.${written.error.code}`)}`);
    else setOutcome(written.value.file === null ? '' : t('export.done', { count: written.value.written }));
  };
  return (
    <>
      <output className="small quiet">{outcome}</output>
      <Button right="export" icon={<Download size={16} />} isPending={busy} onPress={() => void write()}>
        {t('reconciliation.export')}
      </Button>
    </>
  );
};

/** Payments with missing or conflicting information, by cause, gravest first, each with the next step. */
export const ReconciliationScreen = ({ cause }: { cause: ReconciliationCause | null }) => {
  const t = useText();
  const profile = useActiveProfile();
  const { rows, next, counts, needsReview, loading, problem, lookedUp, changed, more } = useReconciliation();
  const [asking, setAsking] = useState<Queued | null>(null);
  const pendingState = useClock(({ wallClock }) =>
    asking === null ? 'expired' : stateAt(asking, wallClock),
  );
  const profileId = profile?.id ?? null;
  useEffect(() => {
    if (profileId !== null) void useReconciliation.getState().show(profileId, cause);
  }, [profileId, cause]);
  if (profileId === null) return null;

  const ofCause = counts.find(count => count.cause === cause) ?? { count: 0, more: false };
  const groups = reconciliationCauses
    .map(under => ({ under, members: rows.filter(row => row.under === under) }))
    .filter(({ members }) => members.length > 0);
  return (
    <Screen
      className="reconciliation"
      title={t('nav.reconciliation')}
      label={t('nav.reconciliation')}
      lead={t('reconciliation.lead', { profile: profile?.name ?? '' })}
      actions={
        <>
          <output className="quiet small">
            {loading === 'first'
              ? t('loading')
              : cause === null
                ? t(needsReview.more ? 'review.count-more' : 'review.count', { count: needsReview.count })
                : t(ofCause.more ? 'reconciliation.count-more' : 'list.count', { count: ofCause.count })}
          </output>
          {changed && loading === null ? (
            <Button
              variant="primary"
              icon={<RefreshCw size={16} />}
              onPress={() => void useReconciliation.getState().show(profileId, cause)}
            >
              {t('reconciliation.changed')}
            </Button>
          ) : null}
          <ExportQueue profileId={profileId} cause={cause} />
        </>
      }
    >
      <CauseChips counts={counts} cause={cause} />
      {problem ? <ErrorNote error={problem} /> : null}
      <output className="out-of-sight">
        {lookedUp === null ? '' : t('reconciliation.status-checked', { order: lookedUp.orderNumber })}
      </output>
      {groups.map(({ under, members }) => (
        <Group
          key={under}
          cause={under}
          count={counts.find(count => count.cause === under) ?? null}
          rows={members}
          onNewLink={setAsking}
        />
      ))}
      {next === null || rows.length === 0 ? null : (
        <Button className="queue-more" isPending={loading === 'more'} onPress={() => void more()}>
          {t('reconciliation.more')}
        </Button>
      )}
      {rows.length === 0 && loading === null && problem === null ? (
        <div className="panel">
          {cause === null ? (
            <Empty icon={<ListChecks size={28} />} title={t('reconciliation.empty')}>
              {t('reconciliation.empty.text')}
            </Empty>
          ) : (
            <Empty
              icon={<ListChecks size={28} />}
              title={t('reconciliation.empty.cause')}
              action={
                <Button variant="primary" onPress={() => go({ screen: 'reconciliation', cause: null })}>
                  {t('reconciliation.all')}
                </Button>
              }
            >
              {t('reconciliation.empty.cause.text')}
            </Empty>
          )}
        </div>
      ) : null}
      <NewLinkQuestion
        isOpen={asking !== null}
        state={pendingState}
        onClose={() => setAsking(null)}
        onLookUp={() => {
          if (asking) void useReconciliation.getState().lookUp(asking);
          setAsking(null);
        }}
        onCreate={() => {
          if (asking) void useReconciliation.getState().createAnotherLink(asking);
          setAsking(null);
        }}
      />
    </Screen>
  );
};
