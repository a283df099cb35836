import { useEffect, useRef } from 'react';

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
