import { Pencil, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import { maxViewNameChars, maxViews, type SavedView } from '../../../shared/settings/saved-view.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { MoveButtons } from '../../components/controls/move-buttons.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useSavedViews, useViews } from '../../stores/payments/views.ts';
import { useText } from '../../i18n/text.ts';

const Rename = ({ view, onDone }: { view: SavedView; onDone: () => void }) => {
  const t = useText();
  const { rename, problem } = useViews();
  const [name, setName] = useState(view.name);
  const keep = async (): Promise<void> => {
    if (name.trim() !== '' && (await rename(view.id, name))) onDone();
  };
  return (
    <Form
      className="line template-rename"
      aria-label={t('views.rename', { name: view.name })}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void keep();
      }}
    >
      <TextBox
        label={t('views.its-name')}
        value={name}
        onChange={setName}
        maxLength={maxViewNameChars}
        problem={typeof problem === 'string' ? t(`views.${problem}`, { most: maxViews }) : null}
        // The user asked to rename it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <Button type="submit" variant="primary" isDisabled={name.trim() === ''}>
        {t('views.keep')}
      </Button>
    </Form>
  );
};

/** The saved views: order them, rename them, remove them, and restore the last removed one. */
export const ManageViews = () => {
  const t = useText();
  const views = useSavedViews();
  const { removed, problem, move, remove, undo, dismiss } = useViews();
  const [renaming, setRenaming] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  /** The view whose row takes the focus once it is rendered: the focused element disappeared. */
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const button =
      wanted.current &&
      list.current?.querySelector<HTMLButtonElement>(`[data-view="${wanted.current}"] button:enabled`);
    if (!button) return;
    button.focus();
    wanted.current = null;
  });
  return (
    <div className="stack">
      {views.length === 0 ? <p className="muted">{t('views.none')}</p> : null}
      <ol ref={list} className="template-list">
        {views.map((view, at) => (
          <li key={view.id} data-view={view.id}>
            {renaming === view.id ? (
              <Rename
                view={view}
                onDone={() => {
                  wanted.current = view.id;
                  setRenaming(null);
                }}
              />
            ) : (
              <div className="line">
                <span className="template-words">
                  <span>{view.name}</span>
                  <span className="small quiet clip code">{view.words}</span>
                </span>
                <MoveButtons
                  earlier={t('views.earlier', { name: view.name })}
                  later={t('views.later', { name: view.name })}
                  isFirst={at === 0}
                  isLast={at === views.length - 1}
                  onMove={by => void move(view.id, by)}
                />
                <IconButton
                  name={t('views.rename', { name: view.name })}
                  icon={<Pencil size={14} />}
                  onPress={() => {
                    dismiss();
                    setRenaming(view.id);
                  }}
                />
                <IconButton
                  name={t('views.remove', { name: view.name })}
                  icon={<Trash2 size={14} />}
                  onPress={() => void remove(view.id)}
                />
              </div>
            )}
          </li>
        ))}
      </ol>
      <output>
        {removed ? (
          <span className="line">
            <span className="small">{t('views.removed', { name: removed.view.name })}</span>
            <Button
              key={removed.view.id}
              icon={<Undo2 size={16} />}
              // The pressed button disappears with its row; the undo button takes the focus.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              onPress={() => {
                wanted.current = removed.view.id;
                void undo();
              }}
            >
              {t('views.undo')}
            </Button>
          </span>
        ) : null}
      </output>
      {problem !== null && typeof problem !== 'string' ? <ErrorNote error={problem} /> : null}
    </div>
  );
};
