import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, Tooltip, TooltipTrigger, type ButtonProps } from 'react-aria-components';

type ButtonVariant = 'plain' | 'primary' | 'quiet' | 'danger';

/** A button. `keys`: the shortcut shown next to its name. */
export const Button = ({
  variant = 'plain',
  icon,
  keys,
  size = 'regular',
  children,
  className,
  ...rest
}: Omit<ButtonProps, 'children' | 'className'> & {
  variant?: ButtonVariant;
  icon?: ReactNode;
  keys?: string;
  size?: 'regular' | 'large';
  children: ReactNode;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}) => (
  <AriaButton {...rest} className={`button ${variant} ${size} ${className ?? ''}`}>
    {icon}
    <span className="button-name">{children}</span>
    {keys === undefined ? null : (
      <kbd className="keys" aria-hidden="true">
        {keys}
      </kbd>
    )}
  </AriaButton>
);

/** A button with only an icon: its name is announced, and shown on hover or focus. */
export const IconButton = ({
  name,
  icon,
  ...rest
}: Omit<ButtonProps, 'children' | 'className' | 'aria-label'> & { name: string; icon: ReactNode }) => (
  <TooltipTrigger delay={400}>
    <AriaButton {...rest} aria-label={name} className="button quiet icon-only">
      {icon}
    </AriaButton>
    <Tooltip className="tooltip" offset={6}>
      {name}
    </Tooltip>
  </TooltipTrigger>
);
