import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Truncate } from '../../components/display/truncate.tsx';
import { FilterButton, FilterPart } from './filter-part.tsx';

export type FilterOption = { id: string; name: string; show?: ReactNode; count?: string };

const anything = 'any';

/** A filter with a list of options: several, or one and "any". */
export const FilterMenu = ({
  name,
  any,
  options,
  chosen,
  value,
  onChoose,
  onRemove,
}: {
  name: string;
  /** The label of "no filter" for a single choice; without it, several can be selected. */
  any?: string;
  options: readonly FilterOption[];
  chosen: readonly string[];
  /** The selected options in words; null = none. */
  value: string | null;
  onChoose: (ids: readonly string[]) => void;
  onRemove: () => void;
}) => (
  <FilterPart name={name} value={value} onRemove={onRemove}>
    <MenuTrigger>
      <FilterButton name={name} value={value} />
      <Popover className="popover filter-popover">
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
              {count === undefined ? null : <span className="quiet tiny push">{count}</span>}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  </FilterPart>
);
