import { useEffect, useState } from 'react';

/** Display time of the confirmation, milliseconds. */
const shownMs = 2_000;

/** Copies a text; `isCopied` for some seconds after that has worked. */
export const useCopy = () => {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), shownMs);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  const copy = (text: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return { isCopied, copy };
};
