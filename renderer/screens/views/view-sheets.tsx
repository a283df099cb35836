import { Sheet } from '../../components/controls/dialog.tsx';
import { queryOf } from '../../stores/payments/filters.ts';
import { useRoute } from '../../stores/route-store.ts';
import { useViews } from '../../stores/payments/views-store.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { ManageViews } from './manage-views.tsx';
import { SaveView } from './save-view.tsx';

/** The dialogs for saving the current view of the list and for managing the saved ones. */
export const ViewSheets = () => {
  const t = useText();
  const { language } = useLocaleChoice();
  const route = useRoute(state => state.route);
  const { sheet, open } = useViews();
  const close = (): void => open(null);
  return (
    <>
      <Sheet title={t('views.save-this')} isOpen={sheet === 'save'} onClose={close}>
        <SaveView words={route.screen === 'payments' ? queryOf(route, language) : ''} onDone={close} />
      </Sheet>
      <Sheet title={t('views.manage')} isOpen={sheet === 'manage'} onClose={close} wide>
        <ManageViews />
      </Sheet>
    </>
  );
};
