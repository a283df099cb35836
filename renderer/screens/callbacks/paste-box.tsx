import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Label, TextArea, TextField } from 'react-aria-components';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { Note } from '../../components/display/note.tsx';
import { useInspector } from '../../stores/callbacks/inspector-store.ts';
import { useText } from '../../i18n/text.ts';

/**
 * The field for a pasted callback. Unlike other fields it must accept everything that a gateway sent. A card number
 * causes a warning and is not dropped: main masks it before anything is shown or stored.
 */
export const PasteBox = () => {
  const t = useText();
  const { text, take, clear } = useInspector();
  const area = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text === '';
  // A browser scrolls to the end of what is pasted; the id is at its start.
  useEffect(() => {
    if (isEmpty) return undefined;
    const frame = requestAnimationFrame(() => area.current?.scrollTo(0, 0));
    return () => cancelAnimationFrame(frame);
  }, [isEmpty]);
  return (
    <div className="stack tight">
      <TextField
        className="field"
        value={text}
        onChange={typed => take(typed, 'paste')}
        onKeyDown={event => {
          if (event.key === 'Escape' && !isEmpty) clear();
          else event.continuePropagation();
        }}
      >
        <div className="field-label">
          <Label>{t('callbacks.paste')}</Label>
          {isEmpty ? null : <IconButton name={t('callbacks.clear')} icon={<X size={14} />} onPress={clear} />}
        </div>
        <TextArea
          ref={area}
          className="input area code"
          rows={isEmpty ? 7 : 5}
          spellCheck={false}
          placeholder={'id=…\norder_number=…\ntype=sale\nstatus=success\nhash=…'}
        />
      </TextField>
      {text.length < 20_000 && containsCardNumber(text) ? (
        <Note tone="warning">{t('callbacks.card')}</Note>
      ) : null}
    </div>
  );
};
