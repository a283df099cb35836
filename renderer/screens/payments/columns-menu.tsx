import { Check, Columns3 } from 'lucide-react';
import { Checkbox } from 'react-aria-components';
import { listColumns, type ListColumn } from '../../../shared/payments/list-columns.ts';
import { Button } from '../../components/controls/button.tsx';
import { MoveButtons } from '../../components/controls/editable-list.tsx';
import { PopoverDialog } from '../../components/controls/popover-dialog.tsx';
import { ErrorNote } from '../../components/display/notes.tsx';
import {
  chooseColumns,
  dropUnsavedColumns,
  useColumnChoice,
  useColumns,
} from '../../stores/payments/columns-store.ts';
import { useViews } from '../../stores/payments/views-store.ts';
import { useText } from '../../i18n/text.ts';

/** The visible columns of the list and their order: of the view that is shown, otherwise of this installation. */
export const ColumnsMenu = () => {
  const t = useText();
  const columns = useColumns();
  const { columns: chosen, view, isUnsaved } = useColumnChoice();
  const { update, problem } = useViews();
  const choose = (next: ListColumn[] | null): void => chooseColumns(view, next);
  const saveToView = async (id: string): Promise<void> => {
    if (await update(id, { columns: chosen })) dropUnsavedColumns();
  };
  const move = (at: number, by: -1 | 1): void => {
    const next = [...columns];
    const [column] = next.splice(at, 1);
    if (column === undefined) return;
    next.splice(at + by, 0, column);
    choose(next);
  };
  // Visible columns in their order, then hidden ones.
  const listed = [...columns, ...listColumns.filter(column => !columns.includes(column))];
  return (
    <PopoverDialog
      name={t('columns.name')}
      button={<Button icon={Columns3}>{t('columns.name')}</Button>}
      placement="bottom end"
    >
      {() => (
        <>
          <ul className="columns-list scrolls">
            {listed.map(column => {
              const at = columns.indexOf(column);
              const name = t(`column.${column}`);
              return (
                <li key={column}>
                  <Checkbox
                    className="checkbox"
                    isSelected={at >= 0}
                    // At least one column must remain.
                    isDisabled={at >= 0 && columns.length === 1}
                    onChange={isShown =>
                      choose(isShown ? [...columns, column] : columns.filter(one => one !== column))
                    }
                  >
                    <span className="checkbox-box" aria-hidden="true">
                      <Check size={12} />
                    </span>
                    {name}
                  </Checkbox>
                  {at < 0 ? null : (
                    <MoveButtons
                      earlier={t('columns.earlier', { column: name })}
                      later={t('columns.later', { column: name })}
                      isFirst={at === 0}
                      isLast={at === columns.length - 1}
                      onMove={by => move(at, by)}
                    />
                  )}
                </li>
              );
            })}
          </ul>
          <Button onPress={() => choose(null)}>{t('columns.first')}</Button>
          {view && isUnsaved ? (
            <Button variant="primary" onPress={() => void saveToView(view.id)}>
              {t('views.save-columns', { name: view.name })}
            </Button>
          ) : null}
          {problem !== null && typeof problem !== 'string' ? <ErrorNote error={problem} /> : null}
        </>
      )}
    </PopoverDialog>
  );
};
