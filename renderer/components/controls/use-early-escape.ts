import { useEffect } from 'react';

/** Lets Esc close an overlay before the focus has moved into it. */
export const useEarlyEscape = (isOpen: boolean, onClose: () => void): void => {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.activeElement !== document.body) return;
      event.preventDefault();
      onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, onClose]);
};
