import { FileDown, FileUp } from 'lucide-react';
import { useState } from 'react';
import type { ImportPreview } from '../../../../shared/administration/settings-transfer.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { useTask } from '../../../forms/use-task.ts';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { hrefOf } from '../../../routes.ts';
import { Link } from 'react-aria-components';
import { ImportDialog } from './import-dialog.tsx';

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
      <div className="line spread wrap">
        <div className="measure">
          <h2>{t('transfer')}</h2>
          <p className="small muted">{t('transfer.text')}</p>
        </div>
        <div className="line wrap">
          <Button
            request="settings.previewImport"
            icon={<FileUp size={16} />}
            isPending={busy === 'preview'}
            onPress={() => void choose()}
          >
            {t('transfer.import')}
          </Button>
          <Button
            request="settings.export"
            icon={<FileDown size={16} />}
            isPending={busy === 'export'}
            onPress={() => void save()}
          >
            {t('transfer.export')}
          </Button>
        </div>
      </div>
      <output>{done === null ? null : <p className="small break">{done}</p>}</output>
      <MissingPasswords ids={imported} />
      {problem ? <ErrorNote error={problem} /> : null}
      <ImportDialog
        preview={preview}
        isPending={busy === 'import'}
        onApply={shown => void apply(shown)}
        onClose={() => setPreview(null)}
      />
    </section>
  );
};
