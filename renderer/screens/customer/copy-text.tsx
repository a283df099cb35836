import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useText } from '../../i18n/text.ts';

/** Display time of the confirmation, milliseconds. */
const shownMs = 2_000;

/** A text that a click copies. `name`: what it is, such as "Email". */
export const CopyText = ({
  name,
  text,
  className = '',
}: {
  name: string;
  text: string;
  className?: string;
}) => {
  const t = useText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), shownMs);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  return (
    <span className="copy-text">
      <Button
        className={`copy-text-button hovers inline-line rounded-s ink-inherit ${className}`}
        aria-label={t('customer.copy', { name, text })}
        onPress={() => {
          void navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            () => setCopied(false),
          );
        }}
      >
        <span className="break">{text}</span>
        {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      </Button>
      <output className="out-of-sight">{isCopied ? t('copied') : ''}</output>
    </span>
  );
};
