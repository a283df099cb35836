import { Check, Copy } from 'lucide-react';
import { Button } from 'react-aria-components';
import { useCopy } from '../../hooks/use-copy.ts';
import { useText } from '../../i18n/text.ts';

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
  const { isCopied, copy } = useCopy();
  return (
    <span className="copy-text">
      <Button
        className={`copy-text-button hovers inline-line rounded-s ink-inherit ${className}`}
        aria-label={t('customer.copy', { name, text })}
        onPress={() => copy(text)}
      >
        <span className="break">{text}</span>
        {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      </Button>
      <output className="out-of-sight">{isCopied ? t('copied') : ''}</output>
    </span>
  );
};
