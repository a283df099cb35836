import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { useMessage, useText } from '../../i18n/text.ts';
import { useEncryption } from '../../stores/payment-log/encryption-store.ts';

/** Asks for the recovery phrase of a log or a copy whose key is not in the keychain. */
export const UnlockForm = () => {
  const t = useText();
  const say = useMessage();
  const { running, problem, done, unlock } = useEncryption();
  const [phrase, setPhrase] = useState('');
  if (done === 'unlocked') return <p className="small">{t('phrase.unlocked')}</p>;
  return (
    <form
      className="stack tight unlock-form"
      onSubmit={event => {
        event.preventDefault();
        void unlock(phrase);
      }}
    >
      <TextBox
        label={t('phrase.title')}
        hint={t('phrase.enter.hint')}
        name="phrase"
        lines={4}
        value={phrase}
        problem={problem?.code === 'input.invalid' ? say(problem.message) : null}
        onChange={setPhrase}
        autoComplete="off"
        spellCheck="false"
      />
      {problem && problem.code !== 'input.invalid' ? <ErrorNote error={problem} /> : null}
      <div className="line">
        <Button
          request="log.unlock"
          type="submit"
          variant="primary"
          icon={<KeyRound size={16} />}
          isPending={running !== null}
          isDisabled={phrase.trim() === ''}
        >
          {t('phrase.enter')}
        </Button>
      </div>
    </form>
  );
};
