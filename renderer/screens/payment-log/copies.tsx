import { Purpose } from '../../components/display/panel.tsx';
import { useEffect } from 'react';
import { useIntl } from 'react-intl';
import { CircleCheck, Copy, FolderOpen } from 'lucide-react';
import { Button } from '../../components/controls/button.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { Time } from '../../components/display/values.tsx';
import { useMaintenance } from '../../stores/payment-log/payment-log-maintenance-store.ts';
import { useText } from '../../i18n/text.ts';
import { RestoreQuestion } from './restore-question.tsx';

/** Copies of the log: manual, daily, and restored after a check. */
export const Copies = () => {
  const t = useText();
  const intl = useIntl();
  const { running, copies, done, readCopies, backUp, checkCopy } = useMaintenance();
  useEffect(() => void readCopies(), [readCopies]);
  const megabytes = (bytes: number): string =>
    intl.formatNumber(Math.max(0.1, bytes / 1_000_000), {
      style: 'unit',
      unit: 'megabyte',
      maximumFractionDigits: 1,
    });
  return (
    <div className="panel stack">
      <Purpose title={t('data.copies')} text={t('data.copies.text')}>
        <div className="line wrap">
          <Button
            request="log.checkCopy"
            icon={FolderOpen}
            isPending={running?.job === 'check'}
            onPress={() => void checkCopy(null)}
          >
            {t('data.restore.file')}
          </Button>
          <Button
            request="log.backUp"
            icon={Copy}
            isPending={running?.job === 'copy'}
            onPress={() => void backUp()}
          >
            {t('data.back-up')}
          </Button>
        </div>
      </Purpose>
      {running?.job === 'copy' ? (
        <Progress name={t('data.copying')} done={running.done} total={running.total} />
      ) : null}
      {running?.job === 'check' ? (
        <Progress name={t('data.checking')} done={running.done} total={running.total} />
      ) : null}
      <output>
        {done ? (
          <p className="line ink-good medium break">
            <CircleCheck size={16} aria-hidden="true" />
            {t(`data.done.${done.what}`, { name: done.name })}
          </p>
        ) : null}
      </output>
      {copies === null || copies.copies.length === 0 ? (
        <p className="small quiet">{t('data.copies.none')}</p>
      ) : (
        <ul className="copy-list tracks no-bullets no-padding no-margin" aria-label={t('data.copies.daily')}>
          {copies.copies.map(copy => (
            <li key={copy.name} className="line spread">
              <span className="line">
                <Time at={copy.at} />
                <span className="small quiet figures">{megabytes(copy.bytes)}</span>
              </span>
              <Button request="log.checkCopy" variant="quiet" onPress={() => void checkCopy(copy.name)}>
                {t('data.restore')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {copies ? <p className="tiny quiet code break">{copies.folder}</p> : null}
      <RestoreQuestion />
    </div>
  );
};
