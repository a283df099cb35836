import { BookmarkPlus, BookOpenText, ListX } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import { Button } from '../../components/controls/button.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { Money } from '../../components/display/money-text.tsx';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { applyTemplate, useTemplateChanges, useTemplates } from '../../queries/templates.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { ManageTemplates } from './manage-templates.tsx';
import { SaveTemplate } from './save-template.tsx';

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
        <Button icon={<BookOpenText size={16} />}>{t('templates.name')}</Button>
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
