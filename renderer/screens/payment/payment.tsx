import { useEffect, useRef, useState } from 'react';
import { RotateCcw, ScanSearch } from 'lucide-react';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Money } from '../../components/display/money.tsx';
import { Note } from '../../components/display/note.tsx';
import { KindMark } from '../../components/display/kind-mark.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { CancelWaitButton } from '../../components/controls/cancel-wait-button.tsx';
import { Checked } from '../../components/display/time.tsx';
import { useScreenKeys } from '../../components/controls/use-screen-keys.ts';
import { isFocusLost } from '../../focus.ts';
import { useClock } from '../../stores/clock.ts';
import { useAppState } from '../../stores/app-state.ts';
import { usePayment } from '../../stores/payments/payment.ts';
import { go } from '../../stores/route.ts';
import { useText } from '../../i18n/text.ts';
import { CopyAddress } from './copy-address.tsx';
import { DossierButton } from './dossier-button.tsx';
import { EraseQuestion } from './erase-question.tsx';
import { Facts } from './facts.tsx';
import { Flags } from './flags.tsx';
import { LinkCard } from './link-card.tsx';
import { MissingStep } from './missing-step.tsx';
import { newLinkOffer } from './new-link.ts';
import { NewLinkQuestion } from './new-link-question.tsx';
import { NoteBox } from './note-box.tsx';
import { PaymentSlip } from './slip.tsx';
import { Sources } from './sources.tsx';
import { Timeline } from './timeline.tsx';
import { Verdict } from './verdict.tsx';

/** A payment: the phone script, the link, its history, and the available actions. */
export const PaymentScreen = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const { file, problem, actionProblem, busy, stopped, lookUp, cancelWait, createAnotherLink } = usePayment();
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    void usePayment.getState().open({ profileId, orderNumber });
  }, [profileId, orderNumber]);
  const payment =
    file?.payment.profileId === profileId && file.payment.orderNumber === orderNumber ? file.payment : null;
  const expiresAt = payment?.link?.expiresAt ?? null;
  const state = useClock(({ wallClock }) =>
    payment === null ? null : stateAt({ state: payment.state, expiresAt }, wallClock),
  );
  const kind = useAppState(app => app.appState?.profiles.find(one => one.id === profileId)?.kind ?? null);
  const baseUrl = useAppState(app => app.appState?.profiles.find(one => one.id === profileId)?.baseUrl ?? '');
  const merchant = useAppState(app => app.appState?.profiles.find(one => one.id === profileId)?.name ?? '');
  const offer =
    payment === null || state === null || file === null ? 'no' : newLinkOffer(payment, state, file.events);
  const duplicateButton = useRef<HTMLButtonElement>(null);
  const verdict = useRef<HTMLElement>(null);
  const showVerdict = (): void => {
    verdict.current?.scrollIntoView({ block: 'nearest' });
    if (isFocusLost()) verdict.current?.focus({ preventScroll: true });
  };
  const refresh = (): void => {
    if (offer === 'no' || busy === 'again') return;
    if (offer === 'ask') setAsking(true);
    else void createAnotherLink();
  };
  useScreenKeys({
    u: () => {
      if (payment !== null && busy !== 'look-up') void lookUp();
    },
    // A single key never creates a link: it opens a confirmation, or focuses the button.
    a: () => {
      if (offer === 'ask') setAsking(true);
      else duplicateButton.current?.focus();
    },
  });

  if (payment === null || state === null || file === null) {
    return (
      <Screen title={<span className="code">{orderNumber}</span>} label={orderNumber}>
        {problem ? (
          <ErrorNote error={problem}>
            {kind === null ? (
              <span className="small">{t('address.no-profile', { profile: profileId })}</span>
            ) : (
              <Button
                icon={<ScanSearch size={16} />}
                onPress={() => go({ screen: 'look-up', by: 'order-number', value: orderNumber })}
              >
                {t('look-up.now')}
              </Button>
            )}
          </ErrorNote>
        ) : (
          <output className="quiet">{t('loading')}</output>
        )}
      </Screen>
    );
  }

  const lastLookUp = file.events.findLast(event => event.kind === 'status.observed');
  return (
    <Screen
      className="payment"
      label={orderNumber}
      title={<span className="code">{orderNumber}</span>}
      lead={
        <span className="line wrap">
          {kind ? <KindMark kind={kind} /> : null}
          <span className="break">{payment.description}</span>
          {payment.customer?.name && payment.customerFrom !== 'callback' ? (
            <span>· {payment.customer.name}</span>
          ) : null}
        </span>
      }
      actions={
        <span className="payment-money">
          <Money amount={payment.amount} currency={payment.currency} size="large" />
        </span>
      }
    >
      <div className="payment-columns">
        <div className="stack">
          <Verdict ref={verdict} payment={payment} state={state} canCreateLink={offer !== 'no'} />
          <MissingStep payment={payment} />
          {actionProblem ? <ErrorNote error={actionProblem} /> : null}
          <LinkCard
            key={orderNumber}
            payment={payment}
            state={state}
            kind={kind}
            onAllowDuplicate={offer === 'no' ? null : refresh}
            baseUrl={baseUrl}
            onOutcome={showVerdict}
          />
          <Flags flags={payment.flags} events={file.events} />
          <Sources events={file.events} payment={payment} />
          <Timeline events={file.events} more={file.earlier !== null} />
        </div>
        <aside className="stack" aria-label={t('payment.aside')}>
          <div className="panel stack tight">
            <Button
              variant="plain"
              icon={<ScanSearch size={16} />}
              onPress={() => void lookUp()}
              isPending={busy === 'look-up'}
            >
              {busy === 'look-up' ? t('look-up.asking') : t('look-up.now')}
              {busy === 'look-up' ? null : <SingleKey>U</SingleKey>}
            </Button>
            <CancelWaitButton
              isWaiting={busy === 'look-up'}
              description={t('waiting-for.look-up')}
              onCancel={cancelWait}
            />
            {stopped ? <Note>{t('waiting-for.look-up.stopped')}</Note> : null}
            {lastLookUp === undefined ? (
              <span className="quiet small">{t('look-up.never')}</span>
            ) : (
              <Checked at={lastLookUp.happenedAt} />
            )}
            {offer !== 'no' ? (
              <Button
                ref={duplicateButton}
                variant="quiet"
                icon={<RotateCcw size={16} />}
                onPress={refresh}
                isPending={busy === 'again'}
              >
                {t('link.new')}
                <SingleKey>A</SingleKey>
              </Button>
            ) : null}
            <CancelWaitButton
              isWaiting={busy === 'again'}
              description={t('waiting-for.link')}
              onCancel={cancelWait}
            />
          </div>
          <Facts payment={payment} />
          <div className="stack tight">
            <DossierButton />
            <CopyAddress profileId={profileId} orderNumber={orderNumber} />
            <EraseQuestion payment={payment} />
          </div>
          <NoteBox />
        </aside>
      </div>
      <NewLinkQuestion
        isOpen={asking}
        state={state}
        onClose={() => setAsking(false)}
        onLookUp={() => {
          setAsking(false);
          void lookUp();
        }}
        onCreate={() => {
          setAsking(false);
          void createAnotherLink();
        }}
      />
      <PaymentSlip payment={payment} merchant={merchant} />
    </Screen>
  );
};
