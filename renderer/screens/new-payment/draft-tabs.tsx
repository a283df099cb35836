import { FilePlus, LoaderCircle, TriangleAlert, Undo2, X } from 'lucide-react';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Note } from '../../components/display/notes.tsx';
import { Truncate } from '../../components/display/values.tsx';
import { useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { messageMs, useDismissLater } from '../../hooks/use-dismiss-later.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { draftsOf, maxDrafts, type FormDraft } from '../../stores/new-payment/drafts.ts';
import { go } from '../../stores/route-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { readAmountEntry } from '../../amount-reading.ts';
import type { Language } from '../../../shared/messages/message.ts';

/** The name of an open form: amount and customer, otherwise what was typed first. */
const draftName = (
  draft: FormDraft,
  { locale, language }: { locale: string; language: Language },
  t: Translate,
): string => {
  const reading = readAmountEntry(draft.amount, draft.currency, locale, language, null);
  const amount =
    reading.kind === 'read' ? formatMoney(reading.wire, draft.currency, locale) : draft.amount.trim();
  const who = [draft.customerName, draft.customerEmail, draft.customerPhone, draft.description]
    .map(text => text.trim())
    .find(text => text !== '');
  const parts = [amount, who ?? ''].filter(text => text !== '');
  return parts.length === 0 ? t('drafts.empty') : parts.join(' · ');
};

/** Offers the draft that was typed for another profile. */
const LeftDraftNote = ({ onDone }: { onDone: () => void }) => {
  const t = useText();
  const left = useNewPayment(form => form.left);
  const take = useNewPayment(form => form.takeLeft);
  const dismiss = useNewPayment(form => form.dismissLeft);
  const name = useAppState(
    ({ appState }) => appState?.profiles.find(({ id }) => id === left?.profileId)?.name ?? '',
  );
  if (left === null) return null;
  const answer = (act: () => void) => (): void => {
    act();
    // The pressed button disappears.
    onDone();
  };
  return (
    <Note>
      <div className="line wrap">
        <span>{t('drafts.left', { profile: name })}</span>
        <Button size="small" onPress={answer(take)}>
          {t('drafts.left.take')}
        </Button>
        <Button size="small" variant="quiet" onPress={answer(dismiss)}>
          {t('drafts.left.dismiss')}
        </Button>
      </div>
    </Note>
  );
};

/** Opens another form beside the current one. */
export const AnotherForm = ({ onDone }: { onDone: () => void }) => {
  const t = useText();
  const openDraft = useNewPayment(form => form.openDraft);
  return (
    <Button
      request="drafts.save"
      variant="quiet"
      icon={FilePlus}
      keys="Ctrl N"
      onPress={() => {
        openDraft({});
        onDone();
      }}
    >
      {t('drafts.new')}
    </Button>
  );
};

const DraftTab = ({
  draft,
  name,
  isCurrent,
  onClose,
}: {
  draft: FormDraft;
  name: string;
  isCurrent: boolean;
  onClose: () => void;
}) => {
  const t = useText();
  const switchTo = useNewPayment(form => form.switchTo);
  const state = draft.submitting ? t('drafts.sending') : draft.problem ? t('drafts.not-sent') : null;
  return (
    <li className={`draft-tab rounded line gap-0 min-0 ${isCurrent ? 'current' : ''}`}>
      <button
        type="button"
        className="draft-tab-name row middle gap-2 min-0 no-border rounded no-ground muted tabular pointer"
        aria-current={isCurrent}
        {...(state === null ? {} : { 'aria-label': `${name}, ${state}`, title: state })}
        onClick={() => switchTo(draft.id)}
      >
        {draft.submitting ? (
          <LoaderCircle size={14} className="spinner" aria-hidden="true" />
        ) : draft.problem ? (
          <TriangleAlert size={14} aria-hidden="true" />
        ) : null}
        <Truncate text={name} />
      </button>
      {draft.submitting ? null : (
        <IconButton name={t('drafts.close', { name })} icon={<X size={14} />} onPress={onClose} />
      )}
    </li>
  );
};

/** The open forms as tabs. One empty form needs no tabs. `onDone`: the pressed button disappears. */
export const DraftTabs = ({ onDone }: { onDone: () => void }) => {
  const t = useText();
  const choice = useLocaleChoice();
  const form = useNewPayment();
  const drafts = draftsOf(form);
  if (drafts.length < 2) return null;
  return (
    <nav className="draft-tabs grow" aria-label={t('drafts.name')}>
      <ul>
        {drafts.map(draft => (
          <DraftTab
            key={draft.id}
            draft={draft}
            name={draftName(draft, choice, t)}
            isCurrent={draft.id === form.id}
            onClose={() => {
              form.close(draft.id);
              onDone();
            }}
          />
        ))}
      </ul>
    </nav>
  );
};

/** A form was closed or cleared, and can be opened again for some seconds. */
const ClosedNote = ({
  closed: { draft, how },
  onDone,
}: {
  closed: NonNullable<ReturnType<typeof useNewPayment.getState>['closed']>;
  onDone: () => void;
}) => {
  const t = useText();
  const choice = useLocaleChoice();
  const dismiss = (): void => useNewPayment.setState({ closed: null });
  const frame = useDismissLater<HTMLDivElement>(dismiss, messageMs);
  return (
    <div ref={frame} className="rounded">
      <Note>
        <div className="line wrap">
          <span>
            {how === 'cleared'
              ? t('drafts.cleared')
              : t('drafts.closed', { name: draftName(draft, choice, t) })}
          </span>
          <Button
            size="small"
            icon={Undo2}
            onPress={() => {
              useNewPayment.getState().undoClose();
              // The pressed button disappears.
              onDone();
            }}
          >
            {t('undo')}
          </Button>
          <Button
            size="small"
            variant="quiet"
            onPress={() => {
              dismiss();
              onDone();
            }}
          >
            {t('dismiss')}
          </Button>
        </div>
      </Note>
    </div>
  );
};

/** What happened to a form that is not shown, over the screen: the form below keeps its place. */
export const DraftNotes = ({ onDone }: { onDone: () => void }) => {
  const t = useText();
  const choice = useLocaleChoice();
  const form = useNewPayment();
  const nameOf = (draft: FormDraft): string => draftName(draft, choice, t);
  const closed = form.closed?.draft.profileId === form.profileId ? form.closed : null;
  return (
    <>
      <output className="over-page stack tight">
        <LeftDraftNote onDone={onDone} />
        {form.isFull ? <Note tone="warning">{t('drafts.full', { count: maxDrafts })}</Note> : null}
        {form.sent ? (
          <Note>
            <div className="line wrap">
              <span>
                {t(form.sent.hasLink ? 'drafts.sent' : 'drafts.unknown', { name: nameOf(form.sent.draft) })}
              </span>
              <Button
                size="small"
                onPress={() => {
                  const { sent } = form;
                  form.dismissNotes();
                  if (sent)
                    go({
                      screen: 'payment',
                      profileId: sent.draft.profileId,
                      orderNumber: sent.orderNumber,
                    });
                }}
              >
                {t('payment.open')}
              </Button>
              <Button
                size="small"
                variant="quiet"
                onPress={() => {
                  form.dismissNotes();
                  onDone();
                }}
              >
                {t('dismiss')}
              </Button>
            </div>
          </Note>
        ) : null}
        {closed ? <ClosedNote key={closed.draft.id} closed={closed} onDone={onDone} /> : null}
      </output>
      {form.lostCardToken && form.cardToken === '' ? (
        <Note tone="warning">{t('drafts.card-token')}</Note>
      ) : null}
    </>
  );
};

/** Below the form, so that it does not move it: that the open forms are not kept. */
export const DraftsKept = () => {
  const t = useText();
  const form = useNewPayment();
  return form.kept === 'this-run' && draftsOf(form).length > 1 ? (
    <p className="hint">{t('drafts.this-run')}</p>
  ) : null;
};
