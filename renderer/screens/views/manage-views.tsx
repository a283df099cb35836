import { User, Users } from 'lucide-react';
import { maxViewNameChars, maxViews } from '../../../shared/settings/saved-view.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { EditableList } from '../../components/controls/editable-list.tsx';
import { MoveButtons } from '../../components/controls/move-buttons.tsx';
import { RenameForm } from '../../forms/rename-form.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { useSavedViews, useViews } from '../../stores/payments/views-store.ts';
import { useSelf, useWhoElse } from '../../use-rights.ts';
import { useText } from '../../i18n/text.ts';
import { useAreViewsShared, useOwnerLabel } from './use-owner-label.ts';

/** The saved views: order them, rename them, remove them, and restore the last removed one. */
export const ManageViews = () => {
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
                icon={owner === null ? <User size={16} /> : <Users size={16} />}
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
