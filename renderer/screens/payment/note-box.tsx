import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import type { AppError } from '../../../shared/errors.ts';
import { usePayment } from '../../stores/payments/payment-store.ts';
import { useText } from '../../i18n/text.ts';
import { ifUnchanged } from '../../if-unchanged.ts';

/** A note on the payment: stored as evidence with author and time. */
export const NoteBox = () => {
  const t = useText();
  const { note, busy } = usePayment();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<AppError | null>(null);
  const add = async (): Promise<void> => {
    if (text.trim() === '' || busy === 'note') return;
    const noted = await note(text.trim());
    setProblem(noted.ok ? null : noted.error);
    if (noted.ok) setText(ifUnchanged(text, ''));
  };
  return (
    <Form
      className="panel stack tight"
      aria-label={t('note.name')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void add();
      }}
    >
      <TextBox
        label={t('note.name')}
        value={text}
        onChange={setText}
        lines={2}
        maxLength={4000}
        placeholder={t('note.placeholder')}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add();
          else event.continuePropagation();
        }}
      />
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="line">
        <Button
          request="payments.note"
          type="submit"
          isPending={busy === 'note'}
          isDisabled={text.trim() === ''}
          keys="Ctrl Enter"
        >
          {t('note.add')}
        </Button>
      </div>
    </Form>
  );
};
