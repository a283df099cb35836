import { useState } from 'react';
import { Form } from './form.tsx';
import { Button } from '../components/controls/button.tsx';
import { TextBox } from '../components/controls/fields.tsx';
import { useText } from '../i18n/text.ts';

/** Renames an entry in its row. `onSave`: true if the name was saved; otherwise `problem` is the reason. */
export const RenameForm = ({
  title,
  label,
  name: given,
  maxLength,
  problem,
  onSave,
  onDone,
}: {
  title: string;
  label: string;
  name: string;
  maxLength: number;
  problem: string | null;
  onSave: (name: string) => Promise<boolean>;
  onDone: () => void;
}) => {
  const t = useText();
  const [name, setName] = useState(given);
  const submit = async (): Promise<void> => {
    if (name.trim() !== '' && (await onSave(name.trim()))) onDone();
  };
  return (
    <Form className="line rename-form" label={title} onSubmit={() => void submit()}>
      <TextBox
        label={label}
        value={name}
        onChange={setName}
        maxLength={maxLength}
        problem={problem}
        // The user asked to rename it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <Button type="submit" variant="primary" isDisabled={name.trim() === ''}>
        {t('save')}
      </Button>
    </Form>
  );
};
