import { useState } from 'react';
import { TextBox } from '../../components/controls/text-box.tsx';
import type { AppError } from '../../../shared/errors.ts';
import { usePayment } from '../../queries/payment.ts';
import { Form, FormFoot } from '../../forms/form.tsx';
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
    <Form className="panel stack tight" label={t('note.name')} onSubmit={() => void add()}>
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
      <FormFoot
        problem={problem}
        name={t('note.add')}
        line="line"
        variant="plain"
        request="payments.note"
        isPending={busy === 'note'}
        isDisabled={text.trim() === ''}
        keys="Ctrl Enter"
      />
    </Form>
  );
};
