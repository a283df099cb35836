import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { IconButton } from './button.tsx';

/** A labelled text with a button that copies it. */
export const Copyable = ({ name, text }: { name: string; text: string }) => {
  const t = useText();
  const [copied, setCopied] = useState(false);
  return (
    <div>
      <span className="tiny quiet">{name}</span>
      <div className="line">
        <span className="code small break copyable-text grow rounded-s on-sunken">{text}</span>
        <IconButton
          name={copied ? t('copied') : t('copy.named', { name })}
          icon={copied ? <Check size={14} /> : <Copy size={14} />}
          onPress={() => {
            void navigator.clipboard.writeText(text).then(
              () => setCopied(true),
              () => setCopied(false),
            );
          }}
        />
      </div>
    </div>
  );
};
