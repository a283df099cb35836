import { Sheet } from '../../components/controls/dialog.tsx';
import { queryOf } from '../../stores/payments/filters.ts';
import { useRoute } from '../../stores/route-store.ts';
import { useViews, useSavedViews, viewOfName } from '../../stores/payments/views-store.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { User, Users } from 'lucide-react';
import { maxViewNameChars, maxViews } from '../../../shared/settings/saved-view.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { EditableList, MoveButtons } from '../../components/controls/editable-list.tsx';
import { RenameForm } from '../../forms/rename-form.tsx';
import { ErrorNote } from '../../components/display/notes.tsx';
import { useSelf, useWhoElse } from '../../use-rights.ts';
import { useAreViewsShared, useOwnerLabel } from './use-owner-label.ts';
import { useState } from 'react';
import { Toggle, TextBox } from '../../components/controls/fields.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useColumnChoice } from '../../stores/payments/columns-store.ts';
import { Form, FormFoot } from '../../forms/form.tsx';

/** Saves the list's search under a name. `words`: the text of the search box. */
const SaveView = ({ words, onDone }: { words: string; onDone: () => void }) => {
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

/** The saved views: order them, rename them, remove them, and restore the last removed one. */
const ManageViews = () => {
  const t = useText();
  const views = useSavedViews();
  const { removed, problem, rename, move, update, remove, undo, dismiss } = useViews();
  const ownerLabel = useOwnerLabel();
  const share = useAreViewsShared() ? 'views.share-team' : 'views.share';
  const self = useSelf();
  const mayShare = useWhoElse({ right: 'review' }) === null;
  return (
    <div className="stack">
      {views.length === 0 ? <p className="muted">{t('views.none')}</p> : null}
      <EditableList
        entries={views}
        className="named-entries no-padding no-margin no-bullets"
        renderActions={({ id, name, owner }, at) => (
          <>
            {ownerLabel({ owner }) === null || !mayShare ? null : (
              <IconButton
                name={t(owner === null ? 'views.keep' : share, { name })}
                icon={owner === null ? User : Users}
                onPress={() => void update(id, { owner: owner === null ? (self?.id ?? null) : null })}
              />
            )}
            <MoveButtons
              earlier={t('views.earlier', { name })}
              later={t('views.later', { name })}
              isFirst={at === 0}
              isLast={at === views.length - 1}
              onMove={by => void move(id, by)}
            />
          </>
        )}
        edit={{
          name: ({ name }) => t('views.rename', { name }),
          onPress: dismiss,
          renderForm: ({ id, name }, onDone) => (
            <RenameForm
              title={t('views.rename', { name })}
              label={t('views.its-name')}
              name={name}
              maxLength={maxViewNameChars}
              problem={typeof problem === 'string' ? t(`views.${problem}`, { max: maxViews }) : null}
              onSave={typed => rename(id, typed)}
              onDone={onDone}
            />
          ),
        }}
        remove={{ name: ({ name }) => t('views.remove', { name }), onPress: ({ id }) => void remove(id) }}
        removed={
          removed && {
            id: removed.view.id,
            text: t('views.removed', { name: removed.view.name }),
            undo: t('undo'),
            onUndo: () => void undo(),
          }
        }
      >
        {({ name, words, owner }) => (
          <span className="stack gap-0 grow min-0">
            <span>
              {name}
              {ownerLabel({ owner }) === null ? null : (
                <span className="small quiet"> · {ownerLabel({ owner })}</span>
              )}
            </span>
            <span className="small quiet clip code">{words}</span>
          </span>
        )}
      </EditableList>
      {problem !== null && typeof problem !== 'string' ? <ErrorNote error={problem} /> : null}
    </div>
  );
};

/** The dialogs for saving the current view of the list and for managing the saved ones. */
export const ViewSheets = () => {
  const t = useText();
  const { language } = useLocaleChoice();
  const route = useRoute(state => state.route);
  const { sheet, open } = useViews();
  const close = (): void => open(null);
  return (
    <>
      <Sheet title={t('views.save-this')} isOpen={sheet === 'save'} onClose={close}>
        <SaveView words={route.screen === 'payments' ? queryOf(route, language) : ''} onDone={close} />
      </Sheet>
      <Sheet title={t('views.manage')} isOpen={sheet === 'manage'} onClose={close} wide>
        <ManageViews />
      </Sheet>
    </>
  );
};
