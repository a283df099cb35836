import type { LucideIcon } from 'lucide-react';
import { isValidElement, type ReactElement, type ReactNode, type Ref } from 'react';
import {
  Button as AriaButton,
  Focusable,
  Tooltip,
  TooltipTrigger,
  type ButtonProps,
} from 'react-aria-components';
import { useRefusal, type Need } from '../../use-rights.ts';
import { useText } from '../../i18n/text.ts';
import { keyName } from '../../shortcuts.ts';
import { useSingleKeys } from '../../stores/app-state-store.ts';

/** A single-key shortcut, shown next to its action; hidden while such keys are off. */
export const SingleKey = ({ children }: { children: string }) =>
  useSingleKeys() ? (
    <kbd className="keys" aria-hidden="true">
      {children}
    </kbd>
  ) : null;

type ButtonVariant = 'plain' | 'primary' | 'live' | 'quiet' | 'danger';

/** An icon in the size of its button; as an element in another one. */
export type ButtonIcon = LucideIcon | ReactElement;

type Props = Omit<ButtonProps, 'children' | 'className'> & {
  variant?: ButtonVariant;
  icon?: ButtonIcon;
  keys?: string;
  size?: 'small' | 'regular' | 'large';
  children: ReactNode;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
};

const classOf = ({ variant = 'plain', size = 'regular', className = '' }: Props): string =>
  `button ${variant} ${size} ${className}`;

/** A shortcut beside the name of its action, as on a keyboard of the window's language. `keys`: `Ctrl Enter`. */
export const Keys = ({ keys }: { keys: string }) => {
  const t = useText();
  return (
    <kbd className="keys" aria-hidden="true">
      {keys
        .split(' ')
        .map(key => keyName(key, t))
        .join(' ')}
    </kbd>
  );
};

const Sized = ({ icon: Icon, size = 'regular' }: { icon: ButtonIcon } & Pick<Props, 'size'>) =>
  isValidElement(Icon) ? Icon : <Icon size={size === 'small' ? 14 : 16} />;

const Face = ({ icon, keys, children, ...sized }: Pick<Props, 'icon' | 'keys' | 'size' | 'children'>) => (
  <>
    {icon === undefined ? null : <Sized {...sized} icon={icon} />}
    <span className="button-name">{children}</span>
    {keys === undefined ? null : <Keys keys={keys} />}
  </>
);

const PlainButton = (props: Props) => {
  const { variant: _variant, icon: _icon, keys: _keys, size: _size, className: _class, ...rest } = props;
  return (
    <AriaButton {...rest} className={classOf(props)}>
      <Face {...props} />
    </AriaButton>
  );
};

/**
 * A button that the signed-in person may not use: it can be focused, does nothing, and says why on hover and focus. A
 * disabled one could not be focused, so the keyboard would never learn the reason.
 */
const RefusedButton = ({ refusal, keys: _keys, ...props }: Props & { refusal: string }) => (
  <TooltipTrigger delay={200}>
    <Focusable>
      <button
        type="button"
        className={classOf(props)}
        data-disabled
        aria-disabled="true"
        aria-label={props['aria-label']}
      >
        <Face {...props} />
      </button>
    </Focusable>
    <Tooltip className="tooltip" offset={6}>
      {refusal}
    </Tooltip>
  </TooltipTrigger>
);

const GuardedButton = ({ need, ...props }: Props & { need: Need }) => {
  const refusal = useRefusal(need);
  return refusal === null ? <PlainButton {...props} /> : <RefusedButton {...props} refusal={refusal} />;
};

/**
 * A button. `keys`: the shortcut shown next to its name. `request`: the request that it sends, or that the dialog sends
 * which it opens; who may not send it reads why. `right`: instead of a request whose input decides the right.
 */
export const Button = ({ request, right, ...props }: Props & (Need | { request?: never; right?: never })) =>
  request !== undefined ? (
    <GuardedButton {...props} need={{ request }} />
  ) : right !== undefined ? (
    <GuardedButton {...props} need={{ right }} />
  ) : (
    <PlainButton {...props} />
  );

/** A button with only an icon: its name is announced, and shown on hover or focus. */
export const IconButton = ({
  name,
  icon,
  ...rest
}: Omit<ButtonProps, 'children' | 'className' | 'aria-label'> & { name: string; icon: ButtonIcon }) => (
  <TooltipTrigger delay={400}>
    <AriaButton {...rest} aria-label={name} className="button quiet icon-only">
      <Sized icon={icon} />
    </AriaButton>
    <Tooltip className="tooltip" offset={6}>
      {name}
    </Tooltip>
  </TooltipTrigger>
);
