import { useState } from 'react';

/** What was typed into forms of the settings and is not saved, by the name of the form. */
const kept = new Map<string, unknown>();

/** It belongs to the person who typed it. */
export const forgetKeptForms = (): void => kept.clear();

/** A form's state, as `useState`, that outlives its page: until the window is closed or another person signs in. */
export const useKept = <T>(form: string, initial: T) => {
  // Only this form writes its entry.
  const read = (): T => (kept.has(form) ? (kept.get(form) as T) : initial);
  const [value, show] = useState(read);
  const set = (change: (before: T) => T): void => {
    const next = change(read());
    kept.set(form, next);
    show(() => next);
  };
  return [value, set] as const;
};
