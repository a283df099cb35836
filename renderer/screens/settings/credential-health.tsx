import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Time } from '../../components/display/time.tsx';
import { useCredentialHealth } from '../../stores/settings/credential-health.ts';
import { useText } from '../../i18n/text.ts';

const icons = {
  good: <CircleCheck size={14} aria-hidden="true" />,
  warning: <TriangleAlert size={14} aria-hidden="true" />,
  bad: <CircleX size={14} aria-hidden="true" />,
};

/** Lines of a profile's facts: its last good and last failed call, and what its password makes of callbacks. */
export const CredentialHealthFacts = ({ id }: { id: string }) => {
  const t = useText();
  const health = useCredentialHealth(state => state.of[id]);
  useEffect(() => void useCredentialHealth.getState().read(id), [id]);
  if (!health) return null;
  const { good, bad, verifiedAt, refuted, checked, looked } = health;
  const none = t('health.none', { count: looked });
  return (
    <>
      <div className="fact">
        <dt>{t('health.good')}</dt>
        <dd>
          {good ? (
            <span className="health good">
              {icons.good}
              <Time at={good.at} /> {t(`health.by.${good.by}`)}
            </span>
          ) : (
            <span className="quiet">{none}</span>
          )}
        </dd>
      </div>
      <div className="fact">
        <dt>{t('health.bad')}</dt>
        <dd>
          {bad ? (
            <>
              <span className="health bad">
                {icons.bad}
                <Time at={bad.at} /> {t(`health.by.${bad.by}`)}
              </span>
              <p className="small muted break">
                {bad.code === null ? bad.says : `${t(`error.${bad.code}`)} ${t(`hint.${bad.code}`)}`}
              </p>
            </>
          ) : (
            <span className="quiet">{none}</span>
          )}
        </dd>
      </div>
      {checked === null ? null : (
        <div className="fact">
          <dt>{t('health.checked')}</dt>
          <dd>
            <span className={`health ${checked.outcome}`}>
              {icons[checked.outcome]}
              <span className="out-of-sight">{t(`check.${checked.outcome}`)}</span>
              <Time at={checked.at} />
            </span>
            <p className="small muted">{checked.says}</p>
          </dd>
        </div>
      )}
      {verifiedAt === null ? null : (
        <div className="fact">
          <dt>{t('health.verified')}</dt>
          <dd>
            <span className="health good">
              {icons.good}
              <Time at={verifiedAt} />
            </span>
          </dd>
        </div>
      )}
      {refuted === null ? null : (
        <div className="fact">
          <dt>{t('health.refuted')}</dt>
          <dd>
            <span className="health bad">
              {icons.bad}
              <Time at={refuted.at} />
            </span>
            <p className="small muted">
              {refuted.fits
                ? t('health.fits', { profile: refuted.fits.name, kind: t(`kind.${refuted.fits.kind}`) })
                : t('health.fits.none')}
            </p>
          </dd>
        </div>
      )}
    </>
  );
};
