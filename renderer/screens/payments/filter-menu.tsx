import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Truncate } from '../../components/display/truncate.tsx';
import { useText } from '../../i18n/text.ts';

export type FilterOption = { id: string; name: string; show?: ReactNode; count?: string };

/** The button of a filter, with the number of selected values. */
export const FilterButton = ({ name, chosen }: { name: string; chosen: number }) => {
  const t = useText();
  return (
    <Button className={`filter ${chosen > 0 ? 'active' : ''}`}>
      {name}
      {chosen > 0 ? (
        <span className="filter-chosen">
          <span aria-hidden="true">{chosen}</span>
          <span className="out-of-sight">{t('filter.chosen', { count: chosen })}</span>
        </span>
      ) : null}
      <ChevronDown size={12} aria-hidden="true" />
    </Button>
  );
};

const anything = 'any';

/** A filter with a list of options: several, or one and "any". */
export const FilterMenu = ({
  name,
  any,
  options,
  chosen,
  onChoose,
}: {
  name: string;
  /** The label of "no filter" for a single choice; without it, several can be selected. */
  any?: string;
  options: readonly FilterOption[];
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}) => (
  <MenuTrigger>
    <FilterButton name={name} chosen={chosen.length} />
    <Popover className="popover menu-popover filter-popover">
      <Menu
        className="menu"
        aria-label={name}
        selectionMode={any === undefined ? 'multiple' : 'single'}
        disallowEmptySelection={any !== undefined}
        selectedKeys={chosen.length === 0 && any !== undefined ? [anything] : chosen}
        onSelectionChange={keys =>
          onChoose(keys === 'all' ? [] : [...keys].map(String).filter(key => key !== anything))
        }
      >
        {any === undefined ? null : (
          <MenuItem id={anything} className="menu-item">
            {any}
          </MenuItem>
        )}
        {options.map(({ id, name: optionName, show, count }) => (
          <MenuItem key={id} id={id} className="menu-item" textValue={optionName}>
            {show ?? <Truncate text={optionName} />}
            {count === undefined ? null : <span className="chip-count push">{count}</span>}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
);
