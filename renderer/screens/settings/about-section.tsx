import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';

/** The product, its version and its host. */
export const About = () => {
  const t = useText();
  const app = useAppState(state => state.appState);
  if (!app) return null;
  const facts = [
    ['version', app.version],
    ['host', app.host],
    ['locale', app.systemLocale],
  ] as const;
  return (
    <section className="panel stack" aria-label={t('settings.about')}>
      <p className="measure">{t('about.text')}</p>
      <dl className="facts wide-facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{t(`about.${name}`)}</dt>
            <dd className="code">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="small muted measure">{t('about.privacy')}</p>
    </section>
  );
};
