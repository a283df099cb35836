import { maxViewNameChars, maxViews } from '../../../shared/settings/saved-view.ts';
import { EditableList } from '../../components/controls/editable-list.tsx';
import { MoveButtons } from '../../components/controls/move-buttons.tsx';
import { RenameForm } from '../../components/controls/rename-form.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { useSavedViews, useViews } from '../../stores/payments/views-store.ts';
import { useText } from '../../i18n/text.ts';

/** The saved views: order them, rename them, remove them, and restore the last removed one. */
export const ManageViews = () => {
  const t = useText();
  const views = useSavedViews();
  const { removed, problem, rename, move, remove, undo, dismiss } = useViews();
  return (
    <div className="stack">
      {views.length === 0 ? <p className="muted">{t('views.none')}</p> : null}
      <EditableList
        entries={views}
        className="named-entries"
        renderActions={({ id, name }, at) => (
          <MoveButtons
            earlier={t('views.earlier', { name })}
            later={t('views.later', { name })}
            isFirst={at === 0}
            isLast={at === views.length - 1}
            onMove={by => void move(id, by)}
          />
        )}
        edit={{
          name: ({ name }) => t('views.rename', { name }),
          onPress: dismiss,
          renderForm: ({ id, name }, onDone) => (
            <RenameForm
              title={t('views.rename', { name })}
              label={t('views.its-name')}
              save={t('save')}
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
        {({ name, words }) => (
          <span className="entry-words">
            <span>{name}</span>
            <span className="small quiet clip code">{words}</span>
          </span>
        )}
      </EditableList>
      {problem !== null && typeof problem !== 'string' ? <ErrorNote error={problem} /> : null}
    </div>
  );
};
