import { Check, Copy } from 'lucide-react';
import { useCopy } from '../../hooks/use-copy.ts';
import { useText } from '../../i18n/text.ts';
import { IconButton } from './button.tsx';

/** A labelled text with a button that copies it. */
export const Copyable = ({ name, text }: { name: string; text: string }) => {
  const t = useText();
  const { isCopied, copy } = useCopy();
  return (
    <div>
      <span className="tiny quiet">{name}</span>
      <div className="line">
        <span className="code small break copyable-text grow rounded-s on-sunken">{text}</span>
        <IconButton
          name={isCopied ? t('copied') : t('copy.named', { name })}
          icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
          onPress={() => copy(text)}
        />
      </div>
    </div>
  );
};
