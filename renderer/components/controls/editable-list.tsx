import { Pencil, Trash2, Undo2, ArrowDown, ArrowUp } from 'lucide-react';
import { useState, type ReactNode, useEffect, useRef } from 'react';
import { Button, IconButton, type ButtonIcon } from './button.tsx';

/**
 * Keeps the keyboard focus in a list while its entries change. Their elements carry `data-entry`. Before an entry is
 * changed, removed or restored, call `follow`: if the focus is lost then, the first button of that entry takes it, or
 * of the entry at its former position.
 */
export const useEntryFocus = <Frame extends HTMLElement>(ids: readonly string[]) => {
  const list = useRef<Frame>(null);
  const followed = useRef<{ id: string; at: number } | null>(null);
  useEffect(() => {
    const focusEntry = (): void => {
      if (followed.current === null || document.activeElement !== document.body) return;
      const { id, at } = followed.current;
      const present = ids.includes(id) ? id : ids[Math.min(at, ids.length - 1)];
      if (present === undefined) return;
      const row = list.current?.querySelector(`[data-entry="${CSS.escape(present)}"]`);
      row?.querySelector<HTMLButtonElement>('button:enabled')?.focus();
      followed.current = null;
    };
    // At once, before the dialog around the list moves the focus to its beginning.
    focusEntry();
    // A dialog over the list that closes gives up the focus before the next frame.
    const frame = requestAnimationFrame(focusEntry);
    return () => cancelAnimationFrame(frame);
  });
  const follow = (id: string): void => {
    followed.current = { id, at: Math.max(0, ids.indexOf(id)) };
  };
  return { list, follow };
};

/** Moves one item of a list by one position. */
export const MoveButtons = ({
  earlier,
  later,
  isFirst,
  isLast,
  onMove,
}: {
  /** The names of the two buttons. */
  earlier: string;
  later: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
}) => {
  const frame = useRef<HTMLSpanElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    // At the end of the list the pressed button is disabled and would lose the focus; the other one takes it.
    if (!pressed.current || frame.current?.contains(document.activeElement)) return;
    frame.current?.querySelector<HTMLButtonElement>('button:enabled')?.focus();
    pressed.current = false;
  });
  const move = (by: -1 | 1): void => {
    pressed.current = true;
    onMove(by);
  };
  return (
    <span ref={frame} className="line">
      <IconButton name={earlier} icon={<ArrowUp size={14} />} isDisabled={isFirst} onPress={() => move(-1)} />
      <IconButton name={later} icon={<ArrowDown size={14} />} isDisabled={isLast} onPress={() => move(1)} />
    </span>
  );
};

/** A button in each row. `name` is announced; without `text` only the icon is visible. */
type RowAction<Entry> = {
  name: (entry: Entry) => string;
  text?: string;
  isOffered?: (entry: Entry) => boolean;
  onPress: (entry: Entry) => void;
};

const RowButton = <Entry,>({
  entry,
  icon,
  action: { name, text, isOffered, onPress },
  onPressed,
}: {
  entry: Entry;
  icon: ButtonIcon;
  action: RowAction<Entry>;
  onPressed: () => void;
}) => {
  if (isOffered?.(entry) === false) return null;
  const press = (): void => {
    onPressed();
    onPress(entry);
  };
  return text === undefined ? (
    <IconButton name={name(entry)} icon={icon} onPress={press} />
  ) : (
    <Button variant="quiet" icon={icon} aria-label={name(entry)} onPress={press}>
      {text}
    </Button>
  );
};

/**
 * Entries with buttons to change and to remove each. Removed entries hand the focus on to the next one, or to the
 * button that restores them.
 */
export const EditableList = <Entry extends { id: string }>({
  entries,
  className,
  renderActions,
  edit,
  remove,
  removed,
  children,
}: {
  entries: readonly Entry[];
  className: string;
  /** Buttons before the others. `at`: the position in the list. */
  renderActions?: (entry: Entry, at: number) => ReactNode;
  /** `renderForm`: what replaces the row while the entry is changed; without it `onPress` opens the form elsewhere. */
  edit: RowAction<Entry> & { renderForm?: (entry: Entry, onDone: () => void) => ReactNode };
  remove: RowAction<Entry>;
  /** The last removed entry, while it can be restored. */
  removed?: { id: string; text: string; undo: string; onUndo: () => void } | null;
  /** What the row of an entry shows. */
  children: (entry: Entry) => ReactNode;
}) => {
  const { list, follow } = useEntryFocus<HTMLUListElement>(entries.map(({ id }) => id));
  const [editing, setEditing] = useState<string | null>(null);
  return (
    <>
      <ul ref={list} className={className}>
        {entries.map((entry, at) => (
          <li key={entry.id} data-entry={entry.id}>
            {editing === entry.id && edit.renderForm ? (
              edit.renderForm(entry, () => {
                follow(entry.id);
                setEditing(null);
              })
            ) : (
              <div className="line spread">
                {children(entry)}
                <span className="line">
                  {renderActions?.(entry, at)}
                  <RowButton
                    entry={entry}
                    icon={<Pencil size={14} />}
                    action={edit}
                    onPressed={() => setEditing(entry.id)}
                  />
                  <RowButton
                    entry={entry}
                    icon={<Trash2 size={14} />}
                    action={remove}
                    onPressed={() => follow(entry.id)}
                  />
                </span>
              </div>
            )}
          </li>
        ))}
      </ul>
      {removed === undefined ? null : (
        <output>
          {removed ? (
            <span className="line">
              <span className="small">{removed.text}</span>
              <Button
                key={removed.id}
                icon={Undo2}
                // The pressed button disappears with its row; the undo button takes the focus.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus
                onPress={() => {
                  follow(removed.id);
                  removed.onUndo();
                }}
              >
                {removed.undo}
              </Button>
            </span>
          ) : null}
        </output>
      )}
    </>
  );
};
