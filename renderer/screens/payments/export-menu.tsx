import { Download } from 'lucide-react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentFilter } from '../../../shared/contract/index.ts';
import { Button } from '../../components/controls/button.tsx';
import { useExport } from '../../stores/reports/export.ts';
import { useText } from '../../i18n/text.ts';
import { useRefusal } from '../../rights.ts';

const formats = ['csv', 'xlsx', 'jsonl'] as const;

/** Exports payments to a file that the user chooses: the selected ones, or all pages of the list. */
export const ExportMenu = ({
  name,
  filter,
  payments = null,
}: {
  name: string;
  filter: PaymentFilter | null;
  payments?: readonly PaymentKey[] | null;
}) => {
  const t = useText();
  const { requestId: request, start } = useExport();
  const refusal = useRefusal('export');
  if (filter === null && payments === null) return null;
  if (refusal !== null)
    return (
      <Button right="export" icon={<Download size={16} />}>
        {name}
      </Button>
    );
  return (
    <MenuTrigger>
      <Button icon={<Download size={16} />} isPending={request !== null}>
        {name}
      </Button>
      <Popover className="popover menu-popover">
        <Menu className="menu" aria-label={name}>
          {formats.map(format => (
            <MenuItem
              key={format}
              id={format}
              className="menu-item"
              onAction={() =>
                void start({ filter: filter ?? {}, payments: payments && [...payments], format })
              }
            >
              {t(`export.${format}`)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
