import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-aria-components';
import type { AppState } from '../../../shared/contract/contract.ts';
import { Button } from '../../components/controls/button.tsx';
import { useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';

/** Confirmed events that the payment log has lost, on every screen until a person has settled the loss. */
export const MissingEvents = ({ loss }: { loss: NonNullable<AppState['log']['loss']> }) => {
  const t = useText();
  const settle = useAppState(state => state.settleLoss);
  const { missing: count, from, until } = loss;
  return (
    <section className="note warning" aria-label={t('loss.name')}>
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="stack tight">
        <p className="bold">{t('loss.title', { count })}</p>
        <p className="small">
          {from === 0 ? t('loss.text.unknown', { count, until }) : t('loss.text', { count, from, until })}
        </p>
        <p className="small">{t('loss.todo')}</p>
        <div className="line wrap">
          <Link
            className="button plain regular"
            href={hrefOf({ screen: 'settings', section: 'data', id: null })}
          >
            {t('loss.data')}
          </Link>
          <Button request="log.settleLoss" onPress={() => void settle()}>
            {t('loss.settle')}
          </Button>
        </div>
      </div>
    </section>
  );
};
