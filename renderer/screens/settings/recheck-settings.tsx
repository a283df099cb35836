import { useState } from 'react';
import { defaultRecheckDays, readRecheckDays } from '../../../shared/settings/recheck-days.ts';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useText } from '../../i18n/text.ts';
import { useManagedSetting } from '../../use-managed.ts';
import { useWhoElse } from '../../use-rights.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { ManagedToggle } from './administration/managed-toggle.tsx';

const textOf = (days: readonly number[]): string => days.join(', ');

/** The days after which paid payments are checked again. */
export const RecheckSettings = () => {
  const t = useText();
  const days = useAppState(state => state.appState?.settings.recheckPaidDays ?? defaultRecheckDays);
  const change = useAppState(state => state.change);
  const others = useWhoElse({ right: 'settings' });
  const isManaged = useManagedSetting('recheckPaidDays');
  /** The text while it is typed; null: as stored. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? textOf(days);
  const read = readRecheckDays(text);
  const save = (): void => {
    if (read === null) return;
    setTyped(null);
    if (textOf(read) !== textOf(days)) void change({ recheckPaidDays: read });
  };
  return (
    <section className="panel stack">
      <ManagedToggle
        path="recheckPaidDays"
        isEnabled={days.length > 0}
        isDisabled={others !== null}
        onChange={isOn => {
          setTyped(null);
          void change({ recheckPaidDays: isOn ? [...defaultRecheckDays] : [] });
        }}
        hint={t('recheck-paid.text')}
      >
        {t('recheck-paid')}
      </ManagedToggle>
      {days.length === 0 ? null : (
        <div className="pair">
          <TextBox
            label={t('recheck-paid.days')}
            hint={t('recheck-paid.days.hint')}
            problem={read === null ? t('recheck-paid.days.problem') : null}
            value={text}
            isDisabled={others !== null || isManaged}
            onChange={setTyped}
            onBlur={save}
            onKeyDown={event => {
              if (event.key === 'Enter') save();
            }}
          />
        </div>
      )}
    </section>
  );
};
