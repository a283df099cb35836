import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button } from '../controls/button.tsx';

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/**
 * Raw evidence, scrollable and copyable; `exact` keeps the bytes of JSON. Main has already masked tokens and hashes.
 */
export const CodeBlock = ({ text, name, exact = false }: { text: string; name: string; exact?: boolean }) => {
  const t = useText();
  const [copied, setCopied] = useState(false);
  const shown = exact ? text : pretty(text);
  return (
    <figure className="raw">
      <figcaption className="line spread">
        <span className="caps">{name}</span>
        <Button
          variant="quiet"
          icon={copied ? <Check size={14} /> : <Copy size={14} />}
          onPress={() => {
            void navigator.clipboard.writeText(shown).then(
              () => setCopied(true),
              () => setCopied(false),
            );
          }}
        >
          {copied ? t('copied') : t('copy')}
        </Button>
      </figcaption>
      {/* A scrollable region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label={name}>
        <pre>{shown}</pre>
      </section>
    </figure>
  );
};
