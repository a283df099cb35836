import { Eraser } from 'lucide-react';
import { MenuItem } from 'react-aria-components';
import { useText } from '../../i18n/text.ts';

/** Erases a customer's details, after a question. `refusal`: why the person may not, null if they may. */
export const EraseMenuItem = ({
  refusal,
  isDisabled = false,
  onErase,
}: {
  refusal: string | null;
  isDisabled?: boolean;
  onErase: () => void;
}) => {
  const t = useText();
  return (
    <MenuItem
      id="erase"
      className="menu-item danger"
      textValue={t('erase.name')}
      isDisabled={refusal !== null || isDisabled}
      onAction={onErase}
    >
      <Eraser size={16} aria-hidden="true" />
      <span>
        {t('erase.name')}
        {refusal === null ? null : <span className="menu-note">{refusal}</span>}
      </span>
    </MenuItem>
  );
};
