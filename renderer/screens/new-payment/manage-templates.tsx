import { Pencil, Trash2, Undo2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import type { Template } from '../../../shared/payments/template.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Money } from '../../components/display/money.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useTemplates } from '../../stores/payments/templates.ts';
import { useText } from '../../i18n/text.ts';
import { nameProblem } from './template-problem.ts';

const Rename = ({ template, onDone }: { template: Template; onDone: () => void }) => {
  const t = useText();
  const { save, problem } = useTemplates();
  const [name, setName] = useState(template.name);
  const rename = async (): Promise<void> => {
    if (name.trim() !== '' && (await save({ ...template, name: name.trim() }))) onDone();
  };
  return (
    <Form
      className="line template-rename"
      aria-label={t('templates.rename', { name: template.name })}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void rename();
      }}
    >
      <TextBox
        label={t('templates.its-name')}
        value={name}
        onChange={setName}
        maxLength={60}
        problem={nameProblem(problem, t)}
        // The user asked to rename it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <Button type="submit" variant="primary" isDisabled={name.trim() === ''}>
        {t('templates.keep')}
      </Button>
    </Form>
  );
};

/** The templates of the profile: rename them, remove them, and restore the last removed one. */
export const ManageTemplates = () => {
  const t = useText();
  const { templates, removed, problem, remove, undo, dismiss } = useTemplates();
  const [renaming, setRenaming] = useState<string | null>(null);
  return (
    <div className="stack">
      {templates.length === 0 ? <p className="muted">{t('templates.none')}</p> : null}
      <ul className="template-list">
        {templates.map(template => (
          <li key={template.id}>
            {renaming === template.id ? (
              <Rename template={template} onDone={() => setRenaming(null)} />
            ) : (
              <div className="line">
                <span className="template-words">
                  <span>{template.name}</span>
                  <Truncate className="small quiet" text={template.description} />
                </span>
                <Money amount={template.amount} currency={template.currency} />
                <IconButton
                  name={t('templates.rename', { name: template.name })}
                  icon={<Pencil size={14} />}
                  onPress={() => {
                    dismiss();
                    setRenaming(template.id);
                  }}
                />
                <IconButton
                  name={t('templates.remove', { name: template.name })}
                  icon={<Trash2 size={14} />}
                  onPress={() => void remove(template)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <output>
        {removed ? (
          <span className="line">
            <span className="small">{t('templates.removed', { name: removed.name })}</span>
            <Button
              key={removed.id}
              icon={<Undo2 size={16} />}
              // The pressed button disappears with its row; the undo button takes the focus.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              onPress={() => void undo()}
            >
              {t('templates.undo')}
            </Button>
          </span>
        ) : null}
      </output>
      {problem && renaming === null ? <ErrorNote error={problem} /> : null}
    </div>
  );
};
