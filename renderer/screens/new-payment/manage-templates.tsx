import { EditableList } from '../../components/controls/editable-list.tsx';
import { RenameForm } from '../../forms/rename-form.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Money } from '../../components/display/money-text.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useTemplateChanges, useTemplates } from '../../queries/templates.ts';
import { useText } from '../../i18n/text.ts';
import { nameProblem } from './template-problem.ts';

/** The templates of the profile: rename them, remove them, and restore the last removed one. */
export const ManageTemplates = () => {
  const t = useText();
  const templates = useTemplates();
  const { removed, problem, save, remove, undo, dismiss } = useTemplateChanges();
  const nameTaken = nameProblem(problem, t);
  return (
    <div className="stack">
      {templates.length === 0 ? <p className="muted">{t('templates.none')}</p> : null}
      <EditableList
        entries={templates}
        className="named-entries no-padding no-margin no-bullets"
        edit={{
          name: ({ name }) => t('templates.rename', { name }),
          onPress: dismiss,
          renderForm: (template, onDone) => (
            <RenameForm
              title={t('templates.rename', { name: template.name })}
              label={t('templates.its-name')}
              save={t('save')}
              name={template.name}
              maxLength={60}
              problem={nameTaken}
              onSave={name => save({ ...template, name })}
              onDone={onDone}
            />
          ),
        }}
        remove={{
          name: ({ name }) => t('templates.remove', { name }),
          onPress: template => void remove(template),
        }}
        removed={
          removed && {
            id: removed.id,
            text: t('templates.removed', { name: removed.name }),
            undo: t('undo'),
            onUndo: () => void undo(),
          }
        }
      >
        {({ name, description, amount, currency }) => (
          <>
            <span className="stack gap-0 grow min-0">
              <span>{name}</span>
              <Truncate className="small quiet" text={description} />
            </span>
            <Money amount={amount} currency={currency} />
          </>
        )}
      </EditableList>
      {problem && nameTaken === null ? <ErrorNote error={problem} /> : null}
    </div>
  );
};
