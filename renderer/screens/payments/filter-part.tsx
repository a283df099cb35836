import { ChevronDown, X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { PopoverDialog } from '../../components/controls/popover-dialog.tsx';
import { useText } from '../../i18n/text.ts';

/** The button of a filter: its name, and its value once it is set. */
export const FilterButton = ({ name, value }: { name: string; value: string | null }) => {
  const t = useText();
  return (
    <Button className="filter">
      {value === null ? name : <span className="medium clip">{t('filter.with-value', { name, value })}</span>}
      <ChevronDown size={12} aria-hidden="true" />
    </Button>
  );
};

/** A filter of the list: the button that opens it and, once it is set, the one that removes it. */
export const FilterPart = ({
  name,
  value,
  onRemove,
  children,
}: {
  name: string;
  /** In words; null = not set. */
  value: string | null;
  onRemove: () => void;
  children: ReactNode;
}) => {
  const t = useText();
  const part = useRef<HTMLSpanElement>(null);
  return (
    <span
      ref={part}
      className={`filter-part edged inline-line pill on-surface muted ${value === null ? '' : 'active'}`}
    >
      {children}
      {value === null ? null : (
        <Button
          className="filter-remove round hovers centred as-text fixed ink-inherit"
          aria-label={t('filter.remove', { name })}
          onPress={() => {
            // The button disappears with the value.
            part.current?.querySelector('button')?.focus();
            onRemove();
          }}
        >
          <X size={12} aria-hidden="true" />
        </Button>
      )}
    </span>
  );
};

/** A filter whose button opens a small dialog. The content gets what closes it. */
export const FilterDialog = ({
  children,
  ...part
}: {
  name: string;
  value: string | null;
  onRemove: () => void;
  children: (close: () => void) => ReactNode;
}) => (
  <FilterPart {...part}>
    <PopoverDialog name={part.name} button={<FilterButton {...part} />} placement="bottom start">
      {children}
    </PopoverDialog>
  </FilterPart>
);
