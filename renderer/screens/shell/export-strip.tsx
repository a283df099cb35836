import { CircleStop, X } from 'lucide-react';
import { Button, IconButton } from '../../components/button.tsx';
import { Progress } from '../../components/progress.tsx';
import { useExport } from '../../stores/export.ts';
import { useText } from '../../text.ts';

/** The export under way, on every screen: how far it is, how to stop it, and how it ended. */
export const ExportStrip = () => {
  const t = useText();
  const { request, progress, result, stop, forget } = useExport();
  const isQuiet = request === null ? result === null : progress === null;
  const says =
    result === null
      ? ''
      : result.kind === 'written'
        ? t(result.signed ? 'export.done.signed' : 'export.done', { count: result.count })
        : result.kind === 'stopped'
          ? t('export.stopped')
          : `${t(`error.${result.error.code}`)} ${t(`hint.${result.error.code}`)}`;
  return (
    // It stays in the page while it has nothing to say: what is said later is then spoken.
    <div className={isQuiet ? 'out-of-sight' : 'round'} data-testid="export-strip">
      <div className="round-state">
        {request !== null && progress !== null ? (
          <>
            <Progress name={t('export.strip')} done={progress.written} total={progress.total ?? 0} />
            <span className="small quiet">{t('export.done', { count: progress.written })}</span>
          </>
        ) : null}
        <output className="small">{says}</output>
      </div>
      {isQuiet ? null : (
        <span className="line push">
          {request === null ? (
            <IconButton name={t('export.forget')} icon={<X size={16} />} onPress={forget} />
          ) : (
            <Button look="quiet" icon={<CircleStop size={16} />} onPress={stop}>
              {t('export.stop')}
            </Button>
          )}
        </span>
      )}
    </div>
  );
};
