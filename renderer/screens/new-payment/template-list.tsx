import { BookmarkPlus, BookOpenText, ListX } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import { Button } from '../../components/controls/button.tsx';
import { Truncate, Money } from '../../components/display/values.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { applyTemplate, useTemplateChanges, useTemplates } from '../../queries/templates.ts';
import { useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { Toggle, TextBox } from '../../components/controls/fields.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';
import { EditableList } from '../../components/controls/editable-list.tsx';
import { RenameForm } from '../../forms/rename-form.tsx';
import { ErrorNote } from '../../components/display/notes.tsx';
import type { AppError } from '../../../shared/errors.ts';

/** Why a name was refused, for its field; null if the name was not the reason. */
const nameProblem = (error: AppError | null, t: Translate): string | null =>
  error?.code === 'input.invalid' && error.fields?.some(field => field.path === 'name')
    ? t('templates.name-taken')
    : null;

/** The templates of the profile: rename them, remove them, and restore the last removed one. */
const ManageTemplates = () => {
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

/** Saves the current form as a template: the charge, never the customer. */
const SaveTemplate = ({
  profile,
  reading,
  onDone,
}: {
  profile: ProfileView;
  reading: AmountReading;
  onDone: () => void;
}) => {
  const t = useText();
  const { currency, description, methods } = useNewPayment();
  const templates = useTemplates();
  const { save, problem } = useTemplateChanges();
  const [name, setName] = useState(description.trim().slice(0, 60));
  const [withAmount, setWithAmount] = useState(reading.kind === 'read');
  const nameTaken = nameProblem(problem, t);
  const keep = async (): Promise<void> => {
    if (name.trim() === '') return;
    const saved = await save({
      id: null,
      profileId: profile.id,
      name: name.trim(),
      amount: withAmount && reading.kind === 'read' ? reading.wire : null,
      currency,
      description: description.trim(),
      methods: [...methods],
    });
    if (saved) onDone();
  };
  return (
    <Form label={t('templates.save')} onSubmit={() => void keep()}>
      <TextBox
        label={t('templates.its-name')}
        value={name}
        onChange={setName}
        maxLength={60}
        problem={nameTaken}
        hint={t('templates.its-name.hint', { count: templates.length })}
        // The dialog only asks for a name.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      {reading.kind === 'read' ? (
        <Toggle isEnabled={withAmount} onChange={setWithAmount} hint={t('templates.with-amount.hint')}>
          {t('templates.with-amount')} <Money amount={reading.wire} currency={currency} />
        </Toggle>
      ) : null}
      <p className="small quiet">{t('templates.never')}</p>
      <FormFoot
        problem={nameTaken === null ? problem : null}
        name={t('save')}
        request="templates.save"
        isDisabled={name.trim() === ''}
      />
    </Form>
  );
};

/** Frequent charges: fill the form from one, save the current form as one, order them. */
export const Templates = ({
  profile,
  reading,
  onApplied,
}: {
  profile: ProfileView;
  reading: AmountReading;
  /** The form was filled and takes the focus. */
  onApplied: () => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const templates = useTemplates();
  const canSaveTemplate = useNewPayment(form => form.description.trim() !== '' || reading.kind === 'read');
  const [sheet, setSheet] = useState<'save' | 'manage' | null>(null);
  const open = (which: typeof sheet): void => {
    useTemplateChanges.getState().dismiss();
    setSheet(which);
  };
  return (
    <>
      <MenuTrigger>
        <Button icon={BookOpenText}>{t('templates.name')}</Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" aria-label={t('templates.name')}>
            {templates.length === 0 ? null : (
              <MenuSection aria-label={t('templates.use')}>
                {templates.map(template => (
                  <MenuItem
                    key={template.id}
                    id={template.id}
                    textValue={template.name}
                    className="menu-item"
                    onAction={() => {
                      applyTemplate(template, profile, locale);
                      // The menu first returns the focus to its button.
                      window.setTimeout(onApplied, 0);
                    }}
                  >
                    <Truncate text={template.name} />
                    <span className="push">
                      <Money amount={template.amount} currency={template.currency} />
                    </span>
                  </MenuItem>
                ))}
              </MenuSection>
            )}
            {templates.length === 0 ? null : <Separator className="separator" />}
            <MenuItem
              id=" save"
              className="menu-item"
              isDisabled={!canSaveTemplate}
              onAction={() => open('save')}
              textValue={t('templates.save')}
            >
              <BookmarkPlus size={14} aria-hidden="true" />
              <span>{t(canSaveTemplate ? 'templates.save' : 'templates.save.nothing')}</span>
            </MenuItem>
            {templates.length === 0 ? null : (
              <MenuItem id=" manage" className="menu-item" onAction={() => open('manage')}>
                <ListX size={14} aria-hidden="true" />
                {t('templates.manage')}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      <Sheet title={t('templates.save')} isOpen={sheet === 'save'} onClose={() => setSheet(null)}>
        <SaveTemplate profile={profile} reading={reading} onDone={() => setSheet(null)} />
      </Sheet>
      <Sheet title={t('templates.manage')} isOpen={sheet === 'manage'} onClose={() => setSheet(null)} wide>
        <ManageTemplates />
      </Sheet>
    </>
  );
};
