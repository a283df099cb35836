import { useEffect } from 'react';
import { focusScreen, isFocusLost } from '../focus.ts';
import { whenReopened } from '../stores/route-store.ts';

const takeFocus = (): void => {
  if (isFocusLost() || document.activeElement?.matches('.screen-name h1'))
    document.querySelector<HTMLElement>('.list-and-pane [role="grid"]')?.focus({ preventScroll: true });
};

/** With rows, a list takes a lost focus, or that of the screen's name, so that its keys work. */
export const useFocusRows = (hasRows: boolean): void => {
  useEffect(() => {
    if (hasRows) takeFocus();
    else if (isFocusLost()) focusScreen();
    return whenReopened(takeFocus);
  }, [hasRows]);
};
