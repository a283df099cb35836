import { Note } from '../../components/display/note.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { CustomScriptRow } from './custom-script-row.tsx';

/** The phone script of each state: ours, or the merchant's own, in the current language. */
export const CustomScripts = () => {
  const t = useText();
  const { language } = useLocaleChoice();
  return (
    <section className="stack" aria-label={t('settings.wording')}>
      <div className="stack tight">
        <p className="muted measure">{t('wording.lead')}</p>
        <p className="muted measure">{t('wording.language')}</p>
      </div>
      <Note>{t('wording.care')}</Note>
      <ul className="panel wordings">
        {statesInOrder.map(state => (
          // Keyed by language, so that two languages share no field.
          <CustomScriptRow key={`${language} ${state}`} language={language} state={state} />
        ))}
      </ul>
    </section>
  );
};
