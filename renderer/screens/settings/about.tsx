import { useDesk } from '../../stores/app-state.ts';
import { useText } from '../../i18n/text.ts';

/** What this is, and on what it runs. */
export const About = () => {
  const t = useText();
  const desk = useDesk(state => state.desk);
  if (!desk) return null;
  const facts = [
    ['version', desk.version],
    ['host', desk.host],
    ['locale', desk.systemLocale],
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
