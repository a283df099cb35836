import { useCallback, useEffect, useRef, useState } from 'react';
import { ArrowDown, ArrowUp, Check, Columns3 } from 'lucide-react';
import { Checkbox, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { listColumns, type ListColumn } from '../../../shared/list-columns.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { useEarlyEscape } from '../../components/use-early-escape.ts';
import { chooseColumns, useColumns } from '../../stores/columns.ts';
import { useText } from '../../text.ts';

/** Which columns the list shows, and in which order; kept for this installation. */
export const ColumnsMenu = () => {
  const t = useText();
  const columns = useColumns();
  const [isOpen, setOpen] = useState(false);
  useEarlyEscape(
    isOpen,
    useCallback(() => setOpen(false), []),
  );
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<ListColumn | null>(null);
  useEffect(() => {
    // At the end of its way a column's arrow is switched off and would lose the focus; the other takes it.
    const row = moved.current && list.current?.querySelector(`[data-column="${moved.current}"]`);
    if (!row || row.contains(document.activeElement)) return;
    row.querySelector<HTMLButtonElement>('button:enabled')?.focus();
    moved.current = null;
  });
  const choose = (next: readonly ListColumn[] | null): void => void chooseColumns(next);
  const move = (at: number, by: -1 | 1): void => {
    const next = [...columns];
    const [column] = next.splice(at, 1);
    if (column === undefined) return;
    next.splice(at + by, 0, column);
    moved.current = column;
    choose(next);
  };
  // Those that are shown in their order, then those that are not.
  const listed = [...columns, ...listColumns.filter(column => !columns.includes(column))];
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button icon={<Columns3 size={16} />}>{t('columns.name')}</Button>
      <Popover className="popover filter-popover">
        <Dialog className="filter-dialog" aria-label={t('columns.name')}>
          <ul ref={list} className="columns-list">
            {listed.map(column => {
              const at = columns.indexOf(column);
              const name = t(`column.${column}`);
              return (
                <li key={column} data-column={column}>
                  <Checkbox
                    className="checkbox"
                    isSelected={at >= 0}
                    // A list without columns could not be read.
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
                    <span className="line">
                      <IconButton
                        name={t('columns.earlier', { column: name })}
                        icon={<ArrowUp size={14} />}
                        isDisabled={at === 0}
                        onPress={() => move(at, -1)}
                      />
                      <IconButton
                        name={t('columns.later', { column: name })}
                        icon={<ArrowDown size={14} />}
                        isDisabled={at === columns.length - 1}
                        onPress={() => move(at, 1)}
                      />
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
          <Button onPress={() => choose(null)}>{t('columns.first')}</Button>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
};
