import { Check, Copy } from 'lucide-react';
import { useCopy } from '../../hooks/use-copy.ts';
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
  const { isCopied, copy } = useCopy();
  const shown = exact ? text : pretty(text);
  return (
    <figure className="raw min-0 lined rounded on-sunken cut">
      <figcaption className="line spread">
        <span className="caps">{name}</span>
        <Button
          variant="quiet"
          icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
          onPress={() => copy(shown)}
        >
          {isCopied ? t('copied') : t('copy')}
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
