import { Copy, Printer } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../components/controls/button.tsx';
import { Note } from '../../components/display/note.tsx';
import { useText } from '../../i18n/text.ts';

/** The words in their order; they are English in every language. */
const Words = ({ words }: { words: readonly string[] }) => (
  <ol className="phrase-words" lang="en" translate="no">
    {words.map((word, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- a word can occur twice
      <li key={`${at} ${word}`}>
        <span className="code">{word}</span>
      </li>
    ))}
  </ol>
);

/** The recovery phrase, on the screen and for printing. It is copied only by its button. */
export const PhraseWords = ({ words }: { words: readonly string[] }) => {
  const t = useText();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className="stack">
      <Note tone="warning">
        <p>{t('phrase.keep')}</p>
      </Note>
      <Words words={words} />
      <div className="line wrap">
        <Button icon={<Printer size={16} />} onPress={() => window.print()}>
          {t('print')}
        </Button>
        <Button
          icon={<Copy size={16} />}
          onPress={() =>
            void navigator.clipboard.writeText(words.join(' ')).then(
              () => setIsCopied(true),
              () => setIsCopied(false),
            )
          }
        >
          {t(isCopied ? 'copied' : 'copy')}
        </Button>
      </div>
      {createPortal(
        <section className="slip" aria-hidden="true">
          <h1 className="paper-title">{t('phrase.title')}</h1>
          <p>{t('phrase.print')}</p>
          <Words words={words} />
        </section>,
        document.body,
      )}
    </div>
  );
};
