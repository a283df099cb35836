import { TriangleAlert } from 'lucide-react';
import { fieldLabel } from '../../../shared/activity-in-words.ts';
import type {
  SettingsProblem,
  SettingsRecovery as Recovery,
} from '../../../shared/settings/settings-recovery.ts';
import { Button } from '../../components/controls/button.tsx';
import { Copyable } from '../../components/controls/copyable.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useMessage, useText } from '../../i18n/text.ts';

const outcomes = ['missing', 'default', 'restored'] as const;

/** The settings that the last start could not read, until the message is dismissed. */
export const SettingsRecovery = ({ recovery }: { recovery: Recovery }) => {
  const t = useText();
  const say = useMessage();
  /** A setting by the label that its screen shows; an entry by its own name. */
  const nameOf = ({ section, name }: SettingsProblem): string =>
    section === 'settings' && name !== '' ? say(fieldLabel(name)) : name;
  const dismiss = useAppState(state => state.dismissRecovery);
  return (
    <section className="note warning" aria-label={t('settings-recovery.name')}>
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="stack tight">
        <p className="bold">{t('settings-recovery.title')}</p>
        <p className="small">{t('settings-recovery.text')}</p>
        {outcomes.map(outcome => {
          const problems = recovery.problems.filter(problem => problem.outcome === outcome);
          return problems.length === 0 ? null : (
            <div key={outcome} className="small">
              <p>{t(`settings-recovery.${outcome}`)}</p>
              <ul className="problem-list">
                {problems.map(problem => {
                  const section = t(`settings-recovery.section.${problem.section}`);
                  const name = nameOf(problem);
                  return (
                    <li key={`${problem.section} ${problem.name}`}>
                      {name === '' ? section : t('settings-recovery.item', { section, name })}
                    </li>
                  );
                })}
              </ul>
            </div>
          );
        })}
        {recovery.keptFile === null ? null : (
          <Copyable name={t('settings-recovery.file')} text={recovery.keptFile} />
        )}
        <div className="line wrap">
          <Button onPress={() => void dismiss()}>{t('dismiss')}</Button>
        </div>
      </div>
    </section>
  );
};
