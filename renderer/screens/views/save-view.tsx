import { useState } from 'react';
import { maxViewNameChars, maxViews } from '../../../shared/settings/saved-view.ts';
import { Toggle } from '../../components/controls/select.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useColumnChoice } from '../../stores/payments/columns-store.ts';
import { useSavedViews, useViews, viewOfName } from '../../stores/payments/views-store.ts';
import { useSelf, useWhoElse } from '../../use-rights.ts';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useText } from '../../i18n/text.ts';
import { useAreViewsShared } from './use-owner-label.ts';

/** Saves the list's search under a name. `words`: the text of the search box. */
export const SaveView = ({ words, onDone }: { words: string; onDone: () => void }) => {
  const t = useText();
  const { save, problem } = useViews();
  const views = useSavedViews();
  const { columns } = useColumnChoice();
  const areViewsShared = useAreViewsShared();
  const self = useSelf();
  const isAlone = useAppState(({ appState }) => (appState?.agents.length ?? 0) < 2);
  const mayShare = useWhoElse({ right: 'review' }) === null;
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(isAlone && mayShare);
  const same = viewOfName(views, name);
  const keep = async (): Promise<void> => {
    if (
      name.trim() !== '' &&
      (await save({ name, words, columns, owner: isShared ? null : (self?.id ?? null) }))
    )
      onDone();
  };
  return (
    <Form label={t('views.save-this')} onSubmit={() => void keep()}>
      <TextBox
        label={t('views.its-name')}
        value={name}
        onChange={setName}
        maxLength={maxViewNameChars}
        problem={typeof problem === 'string' ? t(`views.${problem}`, { max: maxViews }) : null}
        hint={t('views.its-name.hint', { count: views.length, max: maxViews })}
        // The dialog only asks for a name.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <p className="small">
        {t('views.search')} <code className="code break">{words}</code>
      </p>
      <output>
        {same ? (
          <span className="small">
            {t('views.same', { name: same.name })} <code className="code break">{same.words}</code>
          </span>
        ) : null}
      </output>
      {isAlone ? null : (
        <Toggle
          isEnabled={isShared}
          onChange={setIsShared}
          isDisabled={!mayShare}
          hint={mayShare ? undefined : t('views.not-allowed.hint')}
        >
          {t(areViewsShared ? 'views.for-team' : 'views.for-everyone')}
        </Toggle>
      )}
      <p className="small quiet">{t('views.of-profile')}</p>
      <FormFoot
        problem={typeof problem === 'string' ? null : problem}
        name={same ? t('views.replace', { name: same.name }) : t('save')}
        isDisabled={name.trim() === ''}
      />
    </Form>
  );
};
