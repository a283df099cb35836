import type { ImportPreview } from '../../../../shared/administration/settings-transfer.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { KindMark } from '../../../components/display/kind-mark.tsx';
import { Note } from '../../../components/display/note.tsx';
import { Time } from '../../../components/display/time.tsx';
import { useMessage, useText } from '../../../i18n/text.ts';

/** The settings that change, each with its value before and after. */
const SettingChanges = ({ settings }: Pick<ImportPreview, 'settings'>) => {
  const t = useText();
  const say = useMessage();
  return settings.length === 0 ? null : (
    <section className="stack tight" aria-label={t('nav.settings')}>
      <h3>{t('nav.settings')}</h3>
      <dl className="facts wide-facts">
        {settings.map(({ path, label, before, after }) => (
          <div className="fact" key={path}>
            <dt>{say(label)}</dt>
            <dd>
              {before === null || after === null
                ? t('transfer.changed')
                : t('transfer.from-to', { before: say(before), after: say(after) })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const ProfileChanges = ({ profiles }: Pick<ImportPreview, 'profiles'>) => {
  const t = useText();
  const say = useMessage();
  return profiles.length === 0 ? null : (
    <section className="stack tight" aria-label={t('settings.profiles')}>
      <h3>{t('settings.profiles')}</h3>
      <ul className="copy-list tracks no-bullets no-padding no-margin">
        {profiles.map(({ id, name, kind, change, fields, needsPassword }) => (
          <li key={id}>
            <span className="line wrap">
              <KindMark kind={kind} />
              <strong className="break">{name}</strong>
              <span className="small">{t(`transfer.profile.${change}`)}</span>
            </span>
            {fields.length === 0 ? null : <p className="small muted">{fields.map(say).join(', ')}</p>}
            {needsPassword ? <p className="small">{t('transfer.needs-password')}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** What an import would change, before it does. */
export const ImportDialog = ({
  preview,
  isPending,
  onApply,
  onClose,
}: {
  preview: ImportPreview | null;
  isPending: boolean;
  onApply: (preview: ImportPreview) => void;
  onClose: () => void;
}) => {
  const t = useText();
  const say = useMessage();
  const isEmpty = preview?.settings.length === 0 && preview.profiles.length === 0;
  return (
    <Sheet title={t('transfer.preview')} isOpen={preview !== null} onClose={onClose} wide>
      {preview === null ? null : (
        <div className="stack">
          <p className="small muted">
            {t('transfer.file', { file: preview.file, version: preview.writtenBy })}{' '}
            <Time at={Date.parse(preview.exportedAt)} />
          </p>
          {isEmpty ? <p>{t('transfer.nothing')}</p> : null}
          <SettingChanges settings={preview.settings} />
          <ProfileChanges profiles={preview.profiles} />
          {preview.skipped.length === 0 ? null : (
            <Note>
              <p>{t('transfer.skipped')}</p>
              <ul className="problem-list">
                {preview.skipped.map(({ label, reason }) => (
                  <li key={`${say(label)} ${reason}`}>
                    {say(label)}: {t(`transfer.skipped.${reason}`)}
                  </li>
                ))}
              </ul>
            </Note>
          )}
          <div className="line end">
            <Button variant="quiet" onPress={onClose}>
              {t('cancel')}
            </Button>
            <Button
              variant="primary"
              isPending={isPending}
              isDisabled={isEmpty}
              onPress={() => onApply(preview)}
            >
              {t('transfer.apply')}
            </Button>
          </div>
        </div>
      )}
    </Sheet>
  );
};
