import { Ellipsis, type LucideIcon } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';

/** One entry of a menu. */
export type Action = {
  id: string;
  name: string;
  icon: LucideIcon;
  /** What it does. */
  note?: string | null;
  /** Why it cannot be used; null: it can. */
  refusal?: string | null;
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
  /** False: one that is not offered. */
  actions: readonly (Action | false)[];
}) => (
  <MenuTrigger>
    <Button className={`button icon-only ${className}`} aria-label={label}>
      <Icon size={16} aria-hidden="true" />
    </Button>
    <Popover className="popover" placement="bottom end">
      <Menu className="menu" aria-label={label}>
        {actions
          .filter(action => action !== false)
          .flatMap(({ id, name, icon: ItemIcon, isDanger, act, ...more }, at) => {
            const { note = null, refusal = null, isDisabled = false } = more;
            return [
              isDanger && at > 0 ? <Separator key="line" className="separator" /> : null,
              <MenuItem
                key={id}
                id={id}
                className={`menu-item ${isDanger ? 'danger' : ''}`}
                textValue={name}
                isDisabled={isDisabled || refusal !== null}
                onAction={act}
              >
                <ItemIcon size={16} aria-hidden="true" />
                <span>
                  {name}
                  {(refusal ?? note) === null ? null : (
                    <span className="menu-note block quiet tiny break">{refusal ?? note}</span>
                  )}
                </span>
              </MenuItem>,
            ];
          })}
      </Menu>
    </Popover>
  </MenuTrigger>
);
