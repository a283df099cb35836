import { useState } from 'react';
import { FileDown } from 'lucide-react';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { useTask } from '../../../forms/use-task.ts';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';

/** Saves two ready pages for the addresses of a merchant without a shop. `merchant`: the name on them, or ''. */
export const ReturnPages = ({ merchant }: { merchant: string }) => {
  const t = useText();
  const [files, setFiles] = useState<readonly string[]>([]);
  const { problem, run } = useTask();
  const save = (): Promise<void> => {
    setFiles([]);
    return run(
      'send',
      () => request('profiles.saveReturnPages', { merchant }),
      saved => setFiles(saved.files),
    );
  };
  return (
    <div className="stack tight">
      <div className="line wrap">
        <p className="hint">{t('profile.return-pages')}</p>
        <Button
          request="profiles.saveReturnPages"
          size="small"
          icon={<FileDown size={14} />}
          onPress={() => void save()}
        >
          {t('profile.return-pages.save')}
        </Button>
      </div>
      <output className="small">
        {files.length === 0 ? null : t('profile.return-pages.saved', { files: files.join(', ') })}
      </output>
      {problem ? <ErrorNote error={problem} /> : null}
    </div>
  );
};
