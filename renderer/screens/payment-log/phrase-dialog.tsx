import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { PinBox } from '../../components/controls/pin-box.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { useText } from '../../i18n/text.ts';
import { useSelf } from '../../use-rights.ts';
import { useEncryption } from '../../stores/payment-log/encryption-store.ts';
import { PhraseWords } from './phrase-words.tsx';

/** Shows the recovery phrase of the encrypted payment log, after the person confirmed it with their PIN. */
export const PhraseDialog = ({ onClose }: { onClose: () => void }) => {
  const t = useText();
  const { words, running, problem, showPhrase, hide } = useEncryption();
  const hasPin = useSelf()?.hasPin === true;
  const [pin, setPin] = useState('');
  const isIncomplete = hasPin && pin.length < 4;
  const close = (): void => {
    hide();
    onClose();
  };
  return (
    <Sheet title={t('phrase.title')} isOpen onClose={close}>
      {words ? (
        <PhraseWords words={words} />
      ) : (
        <form
          className="stack"
          onSubmit={event => {
            event.preventDefault();
            if (!isIncomplete) void showPhrase(hasPin ? pin : null);
          }}
        >
          <p className="small">{t('phrase.confirm')}</p>
          {hasPin ? (
            <PinBox label={t('agents.your-pin')} value={pin} onChange={setPin} problem={null} focused />
          ) : null}
          {problem ? <ErrorNote error={problem} /> : null}
          <div className="line end">
            <Button onPress={close}>{t('cancel')}</Button>
            <Button
              type="submit"
              variant="primary"
              request="log.readPhrase"
              isPending={running !== null}
              isDisabled={isIncomplete}
            >
              {t('phrase.show')}
            </Button>
          </div>
        </form>
      )}
    </Sheet>
  );
};
