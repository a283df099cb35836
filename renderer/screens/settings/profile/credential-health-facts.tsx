import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { Time } from '../../../components/display/time.tsx';
import { credentialHealthQuery } from '../../../queries/settings.ts';
import { useMessage, useText } from '../../../i18n/text.ts';
import { ResultWay } from './result-way.tsx';

const icons = {
  good: <CircleCheck size={14} aria-hidden="true" />,
  warning: <TriangleAlert size={14} aria-hidden="true" />,
  bad: <CircleX size={14} aria-hidden="true" />,
};

/**
 * Facts about a profile's credentials: the last accepted and the last failed request, and how results arrive on this
 * computer: by callbacks that its password verifies, or by status checks.
 */
export const CredentialHealthFacts = ({ id }: { id: string }) => {
  const t = useText();
  const say = useMessage();
  const { value: health } = credentialHealthQuery.use({ id });
  if (!health) return null;
  const { lastSuccess, lastFailure, invalid, checked, scanned } = health;
  const none = t('health.none', { count: scanned });
  // A check has worked since.
  const isOver = lastFailure !== null && checked?.outcome === 'good' && checked.at >= lastFailure.at;
  return (
    <>
      <div className="fact">
        <dt>{t('health.good')}</dt>
        <dd>
          {lastSuccess ? (
            <span className="health good">
              {icons.good}
              <Time at={lastSuccess.at} /> · {t(`health.by.${lastSuccess.by}`)}
            </span>
          ) : (
            <span className="quiet">{none}</span>
          )}
        </dd>
      </div>
      {isOver ? null : (
        <div className="fact">
          <dt>{t('health.bad')}</dt>
          <dd>
            {lastFailure ? (
              <>
                <span className="health bad">
                  {icons.bad}
                  <Time at={lastFailure.at} /> · {t(`health.by.${lastFailure.by}`)}
                </span>
                <p className="small muted break">
                  {lastFailure.code === null
                    ? say(lastFailure.description)
                    : `${t(`error.${lastFailure.code}`)} ${t(`hint.${lastFailure.code}`)}`}
                </p>
              </>
            ) : (
              <span className="quiet">{none}</span>
            )}
          </dd>
        </div>
      )}
      {checked === null ? null : (
        <div className="fact">
          <dt>{t('health.checked')}</dt>
          <dd>
            <span className={`health ${checked.outcome}`}>
              {icons[checked.outcome]}
              <span className="out-of-sight">{t(`check.${checked.outcome}`)}</span>
              <Time at={checked.at} />
            </span>
            <p className="small muted">{say(checked.description)}</p>
          </dd>
        </div>
      )}
      <div className="fact">
        <dt>{t('health.way')}</dt>
        <dd>
          <ResultWay id={id} />
        </dd>
      </div>
      {invalid === null ? null : (
        <div className="fact">
          <dt>{t('health.invalid')}</dt>
          <dd>
            <span className="health bad">
              {icons.bad}
              <Time at={invalid.at} />
            </span>
            <p className="small muted">
              {invalid.fits
                ? t('health.fits', { profile: invalid.fits.name, kind: t(`kind.${invalid.fits.kind}`) })
                : t('health.fits.none')}
            </p>
          </dd>
        </div>
      )}
    </>
  );
};
