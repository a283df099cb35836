import { CircleCheck, KeyRound, LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/confirm-dialog.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Note } from '../../components/display/note.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { useText } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useEncryption } from '../../stores/payment-log/encryption-store.ts';
import { useMaintenance } from '../../stores/payment-log/payment-log-maintenance-store.ts';
import { EncryptDialog } from './encrypt-dialog.tsx';
import { PhraseDialog } from './phrase-dialog.tsx';

type Question = 'decrypt' | 'remove' | 'phrase' | null;

/** Copies and archived logs from before the encryption. */
const PlainFiles = ({ onRemove }: { onRemove: () => void }) => {
  const t = useText();
  const count = useMaintenance(({ copies }) => copies?.plainFiles ?? 0);
  return count === 0 ? null : (
    <Note tone="warning">
      <div className="stack tight">
        <p>{t('encryption.plain-files', { count })}</p>
        <div className="line">
          <Button request="log.removePlainFiles" onPress={onRemove}>
            {t('encryption.remove')}
          </Button>
        </div>
      </div>
    </Note>
  );
};

/** Whether the payment log is encrypted, and its recovery phrase. */
export const Encryption = () => {
  const t = useText();
  const isEncrypted = useAppState(({ appState }) => appState?.log.isEncrypted ?? false);
  const { running, offered, done, problem, ...encryption } = useEncryption();
  const { listen } = encryption;
  const [question, setQuestion] = useState<Question>(null);
  useEffect(() => listen(), [listen]);
  const askForPhrase = (): void => {
    // An earlier error is not about this question.
    encryption.hide();
    setQuestion('phrase');
  };
  const confirm = (): void => {
    setQuestion(null);
    void (question === 'decrypt' ? encryption.decrypt() : encryption.removePlainFiles());
  };
  return (
    <section className="panel stack" aria-label={t('encryption')}>
      <div className="line spread wrap">
        <div className="measure">
          <h2>{t('encryption')}</h2>
          <p className="small muted">{t(isEncrypted ? 'encryption.on.text' : 'encryption.off.text')}</p>
        </div>
        <div className="line wrap">
          {isEncrypted ? (
            <>
              <Button request="log.readPhrase" icon={<KeyRound size={16} />} onPress={askForPhrase}>
                {t('phrase.show')}
              </Button>
              <Button
                request="log.decrypt"
                icon={<LockKeyholeOpen size={16} />}
                isPending={running !== null}
                onPress={() => setQuestion('decrypt')}
              >
                {t('encryption.decrypt')}
              </Button>
            </>
          ) : (
            <Button
              request="log.beginEncryption"
              icon={<LockKeyhole size={16} />}
              isPending={running !== null}
              onPress={() => void encryption.begin()}
            >
              {t('encryption.encrypt')}
            </Button>
          )}
        </div>
      </div>
      {running && running.total > 0 && !offered ? (
        <Progress
          name={t(isEncrypted ? 'encryption.decrypting' : 'encryption.encrypting')}
          done={running.done}
          total={running.total}
        />
      ) : null}
      <output>
        {done === null || done === 'unlocked' ? null : (
          <div className="stack tight">
            <p className="line ink-good medium">
              <CircleCheck size={16} aria-hidden="true" />
              {t(`encryption.done.${done}`)}
            </p>
            {done === 'decrypted' ? null : <p className="small muted">{t('encryption.remnants')}</p>}
          </div>
        )}
      </output>
      <PlainFiles onRemove={() => setQuestion('remove')} />
      {problem && !offered && question !== 'phrase' ? <ErrorNote error={problem} /> : null}
      <EncryptDialog />
      {question === 'phrase' ? <PhraseDialog onClose={() => setQuestion(null)} /> : null}
      <ConfirmDialog
        title={t(question === 'remove' ? 'encryption.remove' : 'encryption.decrypt')}
        isOpen={question === 'decrypt' || question === 'remove'}
        confirm={t(question === 'remove' ? 'encryption.remove.yes' : 'encryption.decrypt')}
        refuse={t('cancel')}
        onConfirm={confirm}
        onClose={() => setQuestion(null)}
      >
        <p>{t(question === 'remove' ? 'encryption.remove.text' : 'encryption.decrypt.text')}</p>
      </ConfirmDialog>
    </section>
  );
};
