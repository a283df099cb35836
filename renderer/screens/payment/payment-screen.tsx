import { inLine } from '../../../shared/plain-text.ts';
import { useLayoutEffect, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ScanSearch } from 'lucide-react';
import { type PaymentKey, paymentKey } from '../../../shared/payments/payment-row.ts';
import { Button } from '../../components/controls/button.tsx';
import { Crumb, Screen } from '../../components/display/screen.tsx';
import { ErrorNote, PageError, Note, CancelWaitButton } from '../../components/display/notes.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { paymentQuery, usePayment, useVisit } from '../../queries/payment.ts';
import { go } from '../../stores/route-store.ts';
import { useText, useLocaleChoice, useMessage } from '../../i18n/text.ts';
import { flushSync } from 'react-dom';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { checkLink, noProfile } from '../../../shared/settings/check-link.ts';
import { isLinkLive, mayBeRetried } from '../../../shared/payments/link.ts';
import type { OrderLink, PaymentState } from '../../../shared/payments/payment.ts';
import type { MessageChannel } from '../../../shared/merchant-texts/message-templates.ts';
import { requestShownOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import { endsWithLink, stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { partOnDemand, screenOnDemand } from '../../components/controls/on-demand.tsx';
import { useScreenKeys } from '../../components/controls/use-screen-keys.ts';
import { canHaveFocus, isFocusLost } from '../../focus.ts';
import { isTyping } from '../../shortcuts.ts';
import { openMoney } from '../../../shared/payments/open-money.ts';
import { useClock } from '../../stores/clock-store.ts';
import { Facts, NoteBox } from './payment-facts.tsx';
import { contradictionOf } from './contradiction.ts';
import { LinkCard } from './link/link-card.tsx';
import { newLinkOffer } from './link/new-link.ts';
import { OrderLinks, WithdrawQuestion } from './link/order-links.tsx';
import { useDeadlines, useOperations } from './operations/use-operations.ts';
import { useOperation } from '../../stores/payments/operation-store.ts';
import { PaymentActions } from './payment-actions.tsx';
import type { SlipKind } from './slips/slips.tsx';
import { Flags, LedgerPanel, Timeline } from './below-verdict.ts';
import { Verdict } from './verdict.tsx';

// Sheets and their code are not needed for the first screen.
const MessageSheet = screenOnDemand(() => import('../messages/message-sheet.tsx'), 'MessageSheet');
const QrSheet = screenOnDemand(() => import('./link/qr-sheet.tsx'), 'QrSheet');
const NewLinkQuestion = screenOnDemand(() => import('./link/new-link-question.tsx'), 'NewLinkQuestion');
const DuplicateQuestion = screenOnDemand(
  () => import('../new-payment/duplicate-question.tsx'),
  'DuplicateQuestion',
);
const SpellSheet = screenOnDemand(() => import('./link/spell-sheet.tsx'), 'SpellSheet');
const SeriesCard = partOnDemand(() => import('./series/series-card.tsx'), 'SeriesCard');
const OperationDialog = screenOnDemand(() => import('./operations/operation-dialog.tsx'), 'OperationDialog');
const DisputeSheet = screenOnDemand(() => import('./operations/dispute-sheet.tsx'), 'DisputeSheet');
const RecordSheet = screenOnDemand(() => import('./operations/record-sheet.tsx'), 'RecordSheet');
const Slips = partOnDemand(() => import('./slips/slips.tsx'), 'Slips');

/** States in which the customer may still be paying. */
const inProgress: readonly PaymentState[] = ['draft', 'waiting', 'started', 'bank-check', 'processing'];

/** A payment: the answer for the caller, the link while it can be paid, its history, and the available actions. */
const PaymentPage = ({ file }: { file: PaymentDetail }) => {
  const t = useText();
  const say = useMessage();
  const { payment, events } = file;
  const { profileId, orderNumber, link } = payment;
  const { actionProblem, busy, stopped, lookUp, cancelWait, createAnotherLink, dismissProblem, shareLink } =
    usePayment();
  const { language } = useLocaleChoice();
  const [withdrawing, setWithdrawing] = useState<OrderLink | null>(null);
  const [slip, setSlip] = useState<SlipKind>('link');
  const [isAsking, setAsking] = useState(false);
  /** The movement that the sheet for the provider's dashboard is about; an empty text: not chosen yet. */
  const [recording, setRecording] = useState<string | null>(null);
  const [disputing, setDisputing] = useState<string | null>(null);
  const [message, setMessage] = useState<MessageChannel | null>(null);
  const [sheet, setSheet] = useState<'qr' | 'spelled' | null>(null);
  const state = useClock(({ wallClock }) =>
    stateAt({ state: payment.state, expiresAt: link?.expiresAt ?? null }, wallClock),
  );
  const isLive = useClock(({ wallClock }) => isLinkLive(payment, wallClock));
  const profile = useAppState(app => app.appState?.profiles.find(one => one.id === profileId) ?? null);
  // Another installation may have recorded it.
  const checked = link && checkLink(link.url, profile ?? noProfile);
  const isUsable = isLive && checked?.ok === true;
  const isWatched = useAppState(app => app.appState?.watchedProfiles.includes(profileId) ?? false);
  const operations = useOperations(payment);
  const deadlines = useDeadlines(operations, openMoney(payment).length > 0);
  const isOperating = useOperation(store => store.form !== null);
  const requested = requestShownOf(events);
  const sameIntent = actionProblem?.code === 'payment.same-intent' ? actionProblem : null;
  const offer = newLinkOffer(payment, state, events);
  const newLinkButton = useRef<HTMLButtonElement>(null);
  const verdict = useRef<HTMLElement>(null);

  // The outcome comes into view from any place of the page; a text that is being typed stays where it is.
  const showVerdict = useEffectEvent((isFocusOnItsWay: boolean) => {
    if (isTyping(document.activeElement)) return;
    verdict.current?.scrollIntoView({ block: 'nearest' });
    if (isFocusLost() && !isFocusOnItsWay) verdict.current?.focus({ preventScroll: true });
  });
  const shown = useRef(state);
  useEffect(() => {
    if (shown.current === state) return undefined;
    shown.current = state;
    if (inProgress.includes(state)) return undefined;
    // After the link's card and its focused button have gone.
    const frame = requestAnimationFrame(() => showVerdict(false));
    return () => cancelAnimationFrame(frame);
  }, [state]);
  // A closed sheet returns the focus to what opened it, sometimes after these frames. That may have gone with the link.
  const opener = useRef<Element | null>(null);
  // Before the sheet takes the focus.
  useLayoutEffect(() => {
    if (sheet !== null) opener.current = document.activeElement;
  }, [sheet]);
  useEffect(() => {
    const { current } = opener;
    if (sheet !== null || current === null) return undefined;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        // While the computer is busy, the nearest container has the focus before the sheet returns it, and keeps it.
        if (isFocusLost() && current instanceof HTMLElement && canHaveFocus(current))
          current.focus({ preventScroll: true });
        showVerdict(current.isConnected && current !== document.body);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [sheet]);

  const openSheet = (wanted: 'qr' | 'spelled'): void => {
    setSheet(wanted);
    void shareLink(wanted);
  };
  const print = (kind: SlipKind): void => {
    flushSync(() => setSlip(kind));
    window.print();
  };
  const printConfirmation = async (): Promise<void> => {
    if (await usePayment.getState().printConfirmation()) print('confirmation');
  };
  const createNewLink = (): void => {
    if (offer === 'no' || busy === 'again') return;
    if (offer === 'ask') setAsking(true);
    else void createAnotherLink();
  };
  const closeQuestion = (): void => {
    setAsking(false);
    usePayment.setState({ newLinkFor: null });
  };
  // An alert never creates a link either: it opens the confirmation, or focuses the button.
  const isNewLinkWanted = usePayment(store => store.newLinkFor === paymentKey(payment));
  const isWantedUnasked = isNewLinkWanted && offer !== 'ask';
  useEffect(() => {
    if (!isWantedUnasked) return;
    usePayment.setState({ newLinkFor: null });
    newLinkButton.current?.focus();
  }, [isWantedUnasked]);
  useScreenKeys({
    ...(isUsable
      ? {
          c: () => void shareLink('copy'),
          q: () => openSheet('qr'),
          s: () => openSheet('spelled'),
        }
      : {}),
    u: () => {
      if (busy !== 'look-up') void lookUp();
    },
    // A single key never creates a link: it opens a confirmation, or focuses the button.
    a: () => {
      if (offer === 'ask') setAsking(true);
      else newLinkButton.current?.focus();
    },
  });

  return (
    <Screen
      className="payment"
      label={inLine(orderNumber)}
      title={<span className="code">{inLine(orderNumber)}</span>}
      before={<Crumb />}
      actions={
        <PaymentActions
          payment={payment}
          events={events}
          offer={offer}
          onCreateNewLink={createNewLink}
          newLinkButton={newLinkButton}
          actions={operations.actions}
          onRecord={() => setRecording('')}
          onWithdraw={isUsable ? () => setWithdrawing(payment.links.at(-1) ?? null) : null}
          onPrintConfirmation={() => void printConfirmation()}
        />
      }
    >
      <div className="payment-columns tracks gap-4 at-start">
        <div className="stack">
          <CancelWaitButton
            isWaiting={busy === 'look-up'}
            description={t('waiting-for.look-up')}
            onCancel={cancelWait}
            isOverPage
          />
          <CancelWaitButton
            isWaiting={busy === 'again'}
            description={t('waiting-for.link')}
            onCancel={cancelWait}
            isOverPage
          />
          <PageError error={sameIntent === null ? actionProblem : null} />
          <Verdict
            ref={verdict}
            payment={payment}
            events={events}
            state={state}
            canCreateLink={offer !== 'no'}
          />
          {stopped ? <Note>{t('waiting-for.look-up.stopped')}</Note> : null}
          {isLive && checked?.ok === false ? (
            <Note tone="warning">
              {t('link.unsafe')} {say(checked.error.message)}
            </Note>
          ) : null}
          {isUsable && link !== null ? (
            <LinkCard
              link={link}
              checkedAt={payment.checkedAt}
              isWatched={isWatched && (endsWithLink(state) || mayBeRetried(payment))}
              kind={profile?.kind ?? null}
              baseUrl={profile?.baseUrl ?? ''}
              openSheet={sheet}
              onOpenSheet={openSheet}
              onMessage={setMessage}
              onPrint={() => print('link')}
            />
          ) : null}
          <LedgerPanel
            payment={payment}
            events={events}
            notes={deadlines}
            onRecord={setRecording}
            onDispute={setDisputing}
          />
          <OrderLinks links={payment.links} currency={payment.currency} onWithdraw={setWithdrawing} />
          {payment.series === null ? null : <SeriesCard profileId={profileId} orderNumber={orderNumber} />}
          <Flags
            flags={payment.flags}
            links={payment.links}
            events={events}
            named={contradictionOf(payment, state)}
          />
          <Timeline events={events} more={file.earlier !== null} />
        </div>
        <aside className="stack" aria-label={t('payment.aside')}>
          <Facts payment={payment} events={events} withEarlier />
          <NoteBox />
        </aside>
      </div>
      {link === null || checked?.ok !== true ? null : (
        <>
          {sheet === 'qr' ? (
            <QrSheet onClose={() => setSheet(null)} payment={payment} url={link.url} profile={profile} />
          ) : null}
          {sheet === 'spelled' ? (
            <SpellSheet onClose={() => setSheet(null)} payment={payment} url={link.url} />
          ) : null}
          {message !== null && isUsable ? (
            <MessageSheet
              channel={message}
              payment={payment}
              link={link}
              profile={profile}
              asked={requested?.body.options?.language ?? null}
              onClose={() => setMessage(null)}
            />
          ) : null}
        </>
      )}
      {isOperating ? <OperationDialog payment={payment} profile={profile} /> : null}
      {recording === null ? null : (
        <RecordSheet payment={payment} movement={recording || null} onClose={() => setRecording(null)} />
      )}
      {disputing === null ? null : (
        <DisputeSheet payment={payment} movement={disputing} onClose={() => setDisputing(null)} />
      )}
      {withdrawing === null ? null : (
        <WithdrawQuestion link={withdrawing} links={payment.links} onClose={() => setWithdrawing(null)} />
      )}
      {isAsking || (isNewLinkWanted && offer === 'ask') ? (
        <NewLinkQuestion
          state={state}
          onClose={closeQuestion}
          onLookUp={() => {
            closeQuestion();
            void lookUp();
          }}
          onCreate={() => {
            closeQuestion();
            void createAnotherLink();
          }}
        />
      ) : null}
      {sameIntent === null ? null : (
        <DuplicateQuestion
          error={sameIntent}
          profileId={profileId}
          onAllow={() => void createAnotherLink(true)}
          onClose={dismissProblem}
        />
      )}
      <Slips
        kind={slip}
        payment={checked?.ok === false ? { ...payment, link: null } : payment}
        profile={profile}
        language={requested?.body.options?.language ?? language}
      />
    </Screen>
  );
};

/** A payment by its number: its page, or the reason why there is none. */
export const PaymentScreen = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const { value: file, problem } = paymentQuery.use({ profileId, orderNumber });
  const hasProfile = useAppState(
    app => app.appState?.profiles.some(profile => profile.id === profileId) ?? false,
  );
  useVisit(profileId, orderNumber);
  if (file) return <PaymentPage key={`${profileId} ${orderNumber}`} file={file} />;
  return (
    <Screen
      title={<span className="code">{inLine(orderNumber)}</span>}
      label={inLine(orderNumber)}
      before={<Crumb />}
    >
      {problem ? (
        <ErrorNote error={problem}>
          {hasProfile ? (
            <Button
              request="payments.lookUp"
              icon={ScanSearch}
              onPress={() => go({ screen: 'look-up', by: 'order-number', value: orderNumber })}
            >
              {t('look-up.now')}
            </Button>
          ) : (
            <span className="small">{t('address.no-profile', { profile: profileId })}</span>
          )}
        </ErrorNote>
      ) : (
        <output className="quiet">{t('loading')}</output>
      )}
    </Screen>
  );
};
