import { Note } from '../../components/display/note.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { CustomScriptRow } from './custom-script-row.tsx';

/** The phone script of each state: ours, or the merchant's own, in the current language. */
export const CustomScripts = () => {
  const t = useText();
  const { language } = useLocaleChoice();
  return (
    <section className="stack" aria-label={t('settings.custom-scripts')}>
      <div className="stack tight">
        <p className="muted measure">{t('custom-scripts.lead')}</p>
        <p className="muted measure">{t('custom-scripts.language')}</p>
      </div>
      <Note>{t('custom-scripts.caution')}</Note>
      <ul className="panel custom-scripts">
        {statesInOrder.map(state => (
          // Keyed by language, so that two languages share no field.
          <CustomScriptRow key={`${language} ${state}`} language={language} state={state} />
        ))}
      </ul>
    </section>
  );
};
