import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { useMessage, useText } from '../../i18n/text.ts';
import { useEncryption } from '../../stores/payment-log/encryption-store.ts';
import { PhraseWords } from './phrase-words.tsx';

/** Shows the new recovery phrase, and then asks for some of its words before anything is encrypted. */
export const EncryptDialog = () => {
  const t = useText();
  const say = useMessage();
  const { offered, running, problem, encrypt, hide } = useEncryption();
  const [isNoted, setIsNoted] = useState(false);
  const [answers, setAnswers] = useState<readonly string[]>([]);
  if (!offered) return null;
  const wrong = (at: number): string | null => {
    const found = problem?.fields?.find(({ path }) => path === `answers.${at}`);
    return found ? say(found.message) : null;
  };
  const close = (): void => {
    if (running) return;
    setIsNoted(false);
    setAnswers([]);
    hide();
  };
  return (
    <Sheet title={t('encryption.encrypt')} isOpen onClose={close}>
      {isNoted ? (
        <form
          className="stack"
          onSubmit={event => {
            event.preventDefault();
            void encrypt(offered.asked.map((_, at) => answers[at] ?? ''));
          }}
        >
          <p className="small muted">{t('encryption.confirm.text')}</p>
          {offered.asked.map((position, at) => (
            <TextBox
              key={position}
              // The button that had the focus is gone.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={at === 0}
              label={t('encryption.word', { position })}
              name={`word-${position}`}
              value={answers[at] ?? ''}
              problem={wrong(at)}
              onChange={text =>
                setAnswers(given =>
                  offered.asked.map((_, other) => (other === at ? text : (given[other] ?? ''))),
                )
              }
              autoComplete="off"
              spellCheck="false"
              inputClass="code"
            />
          ))}
          {problem && !problem.fields ? <ErrorNote error={problem} /> : null}
          {running ? (
            <Progress name={t('encryption.encrypting')} done={running.done} total={running.total} />
          ) : null}
          <div className="line end">
            <Button isDisabled={running !== null} onPress={() => setIsNoted(false)}>
              {t('encryption.back')}
            </Button>
            <Button type="submit" variant="primary" request="log.encrypt" isPending={running !== null}>
              {t('encryption.encrypt')}
            </Button>
          </div>
        </form>
      ) : (
        <div className="stack">
          <p className="small">{t('encryption.phrase.text')}</p>
          <PhraseWords words={offered.words} />
          <div className="line end">
            <Button onPress={close}>{t('cancel')}</Button>
            <Button variant="primary" onPress={() => setIsNoted(true)}>
              {t('encryption.noted')}
            </Button>
          </div>
        </div>
      )}
    </Sheet>
  );
};
