import { useDismissLater } from '../../hooks/use-dismiss-later.ts';
import { CircleStop, FolderOpen, X } from 'lucide-react';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { focusScreen } from '../../focus.ts';
import { useExport } from '../../stores/reports/export-store.ts';
import { useText, type Translate } from '../../i18n/text.ts';

/** Display time of a finished export's message; extended while it is hovered or has the focus. */
const shownMs = 30_000;

const writtenText = (
  { count, signed, file }: { count: number | null; signed: boolean; file: string },
  t: Translate,
): string => {
  const name = file.replace(/^.*[\\/]/, '');
  if (count === null) return t(signed ? 'export.done.plain' : 'export.done.plain.unsigned', { file: name });
  return t(signed ? 'export.done.signed' : 'export.done.file', { count, file: name });
};

/** The running export, on every screen: its progress, the cancel button, and its result. */
export const ExportStrip = () => {
  const t = useText();
  const { requestId, progress, result, stop, dismiss, showFile } = useExport();
  const isQuiet = requestId === null ? result === null : progress === null;
  const description =
    result === null
      ? ''
      : result.kind === 'written'
        ? writtenText(result, t)
        : result.kind === 'stopped'
          ? t('export.stopped')
          : `${t(`error.${result.error.code}`)} ${t(`hint.${result.error.code}`)}`;
  const dismissesItself = requestId === null && result !== null && result.kind !== 'failed';
  const frame = useDismissLater<HTMLDivElement>(dismiss, shownMs, dismissesItself);
  return (
    // It stays in the page while empty, so that screen readers announce later messages.
    <div
      ref={frame}
      className={isQuiet ? 'out-of-sight' : 'job-strip line wrap line-above on-surface'}
      data-testid="export-strip"
    >
      <div className="job-state">
        {requestId !== null && progress !== null ? (
          <>
            <Progress name={t('export.strip')} done={progress.written} total={progress.total ?? 0} />
            <span className="small quiet">{t('export.done', { count: progress.written })}</span>
          </>
        ) : null}
        <output className="small break" {...(result?.kind === 'written' ? { title: result.file } : {})}>
          {description}
        </output>
      </div>
      {isQuiet ? null : (
        <span className="line push">
          {requestId === null && result?.kind === 'written' ? (
            <Button variant="quiet" icon={FolderOpen} onPress={showFile}>
              {t('export.show')}
            </Button>
          ) : null}
          {requestId === null ? (
            <IconButton
              name={t('dismiss')}
              icon={<X size={16} />}
              onPress={() => {
                dismiss();
                focusScreen();
              }}
            />
          ) : (
            <Button variant="quiet" icon={CircleStop} onPress={stop}>
              {t('export.stop')}
            </Button>
          )}
        </span>
      )}
    </div>
  );
};
