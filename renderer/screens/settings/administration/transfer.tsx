import { Purpose, Fact } from '../../../components/display/panel.tsx';
import { FileDown, FileUp } from 'lucide-react';
import { useState } from 'react';
import type { ImportPreview } from '../../../../shared/administration/settings-transfer.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote, Note } from '../../../components/display/notes.tsx';
import { useTask } from '../../../forms/form.tsx';
import { useText, useMessage } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { hrefOf } from '../../../routes.ts';
import { Link } from 'react-aria-components';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { KindMark } from '../../../components/display/marks.tsx';
import { Time } from '../../../components/display/values.tsx';

/** The settings that change, each with its value before and after. */
const SettingChanges = ({ settings }: Pick<ImportPreview, 'settings'>) => {
  const t = useText();
  const say = useMessage();
  return settings.length === 0 ? null : (
    <section className="stack tight" aria-label={t('nav.settings')}>
      <h3>{t('nav.settings')}</h3>
      <dl className="facts wide-facts">
        {settings.map(({ path, label, before, after }) => (
          <Fact key={path} name={say(label)}>
            {before === null || after === null
              ? t('transfer.changed')
              : t('transfer.from-to', { before: say(before), after: say(after) })}
          </Fact>
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
const ImportDialog = ({
  preview,
  isPending,
  onApply,
  onClose,
}: {
  preview: ImportPreview;
  isPending: boolean;
  onApply: () => void;
  onClose: () => void;
}) => {
  const t = useText();
  const say = useMessage();
  const isEmpty = preview.settings.length === 0 && preview.profiles.length === 0;
  return (
    <Sheet title={t('transfer.preview')} onClose={onClose} wide>
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
          <Button variant="primary" isPending={isPending} isDisabled={isEmpty} onPress={onApply}>
            {t('transfer.apply')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
};

/** Profiles whose merchant password has to be entered after an import. */
const MissingPasswords = ({ ids }: { ids: readonly string[] }) => {
  const t = useText();
  const profiles = useAppState(({ appState }) => appState?.profiles ?? []);
  const missing = profiles.filter(({ id, password }) => ids.includes(id) && password !== 'stored');
  return missing.length === 0 ? null : (
    <div className="stack tight small">
      <p>{t('transfer.passwords')}</p>
      <ul className="problem-list">
        {missing.map(({ id, name }) => (
          <li key={id}>
            <Link href={hrefOf({ screen: 'settings', section: 'profiles', id })}>{name}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Settings and profiles as a file, for another computer. */
export const Transfer = () => {
  const t = useText();
  const { busy, problem, run } = useTask<'export' | 'preview' | 'import'>();
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [imported, setImported] = useState<readonly string[]>([]);

  const save = (): Promise<void> => {
    setDone(null);
    return run(
      'export',
      () => request('settings.export', {}),
      ({ file }) => {
        if (file !== null) setDone(t('transfer.exported', { file }));
      },
    );
  };
  const choose = (): Promise<void> => {
    setDone(null);
    return run(
      'preview',
      () => request('settings.previewImport', {}),
      read => setPreview(read.preview),
    );
  };
  const apply = async ({ id, profiles }: ImportPreview): Promise<void> => {
    setDone(null);
    await run(
      'import',
      () => request('settings.import', { id }),
      () => {
        setImported(profiles.filter(one => one.needsPassword).map(one => one.id));
        setDone(t('transfer.imported'));
      },
    );
    setPreview(null);
  };

  return (
    <section className="panel stack" aria-label={t('transfer')}>
      <Purpose title={t('transfer')} text={t('transfer.text')}>
        <div className="line wrap">
          <Button
            request="settings.previewImport"
            icon={FileUp}
            isPending={busy === 'preview'}
            onPress={() => void choose()}
          >
            {t('transfer.import')}
          </Button>
          <Button
            request="settings.export"
            icon={FileDown}
            isPending={busy === 'export'}
            onPress={() => void save()}
          >
            {t('transfer.export')}
          </Button>
        </div>
      </Purpose>
      <output>{done === null ? null : <p className="small break">{done}</p>}</output>
      <MissingPasswords ids={imported} />
      {problem ? <ErrorNote error={problem} /> : null}
      {preview === null ? null : (
        <ImportDialog
          preview={preview}
          isPending={busy === 'import'}
          onApply={() => void apply(preview)}
          onClose={() => setPreview(null)}
        />
      )}
    </section>
  );
};
