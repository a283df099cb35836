import { Ellipsis, type LucideIcon } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';

/** One entry of a menu. */
export type Action = {
  id: string;
  name: string;
  icon: LucideIcon;
  /** What it does, or why it cannot be used. */
  note?: string | null;
  isDisabled?: boolean;
  /** It cannot be undone: the last one, below a line. */
  isDanger?: boolean;
  act: () => void;
};

/** A button with an icon that opens a menu. `className`: of the button. */
export const ActionMenu = ({
  label,
  icon: Icon = Ellipsis,
  className = 'plain',
  actions,
}: {
  label: string;
  icon?: LucideIcon;
  className?: string;
  actions: readonly Action[];
}) => (
  <MenuTrigger>
    <Button className={`button icon-only ${className}`} aria-label={label}>
      <Icon size={16} aria-hidden="true" />
    </Button>
    <Popover className="popover" placement="bottom end">
      <Menu className="menu" aria-label={label}>
        {actions.flatMap(({ id, name, icon: ItemIcon, note = null, isDisabled = false, isDanger, act }) => [
          isDanger && actions.length > 1 ? <Separator key="line" className="separator" /> : null,
          <MenuItem
            key={id}
            id={id}
            className={`menu-item ${isDanger ? 'danger' : ''}`}
            textValue={name}
            isDisabled={isDisabled}
            onAction={act}
          >
            <ItemIcon size={16} aria-hidden="true" />
            <span>
              {name}
              {note === null ? null : <span className="menu-note block quiet tiny break">{note}</span>}
            </span>
          </MenuItem>,
        ])}
      </Menu>
    </Popover>
  </MenuTrigger>
);
