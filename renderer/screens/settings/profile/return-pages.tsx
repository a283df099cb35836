import { useState } from 'react';
import { FileDown } from 'lucide-react';
import type { AppError } from '../../../../shared/errors.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';

/** Saves two ready pages for the addresses of a merchant without a shop. `merchant`: the name on them, or ''. */
export const ReturnPages = ({ merchant }: { merchant: string }) => {
  const t = useText();
  const [files, setFiles] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<AppError | null>(null);
  const save = async (): Promise<void> => {
    const saved = await request('profiles.saveReturnPages', { merchant });
    setProblem(saved.ok ? null : saved.error);
    setFiles(saved.ok ? saved.value.files : []);
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
