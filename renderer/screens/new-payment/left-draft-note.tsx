import { Button } from '../../components/controls/button.tsx';
import { Note } from '../../components/display/note.tsx';
import { useText } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';

/** Offers the draft that was typed for another profile. */
export const LeftDraftNote = ({ onDone }: { onDone: () => void }) => {
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
