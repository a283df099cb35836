import { Download } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { CallInput, PaymentFilter } from '../../../shared/contract.ts';
import { Button } from '../../components/button.tsx';
import { call } from '../../desk.ts';
import { useText } from '../../text.ts';

const formats: readonly CallInput<'payments.export'>['format'][] = ['csv', 'xlsx', 'jsonl'];

/** Writes the payments of the list, all of its pages, to a file the person chooses. */
export const ExportMenu = ({ filter }: { filter: PaymentFilter | null }) => {
  const t = useText();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  if (filter === null) return null;
  const write = async (format: (typeof formats)[number]): Promise<void> => {
    setBusy(true);
    const written = await call('payments.export', { filter, format });
    setBusy(false);
    if (!written.ok) setSaid(`${t(`error.${written.error.code}`)} ${t(`hint.${written.error.code}`)}`);
    else if (written.value.file !== null) {
      const count = written.value.written;
      setSaid(t(written.value.signed ? 'export.done.signed' : 'export.done', { count }));
    }
  };
  return (
    <span className="line">
      <output className="small quiet">{said}</output>
      <MenuTrigger>
        <Button icon={<Download size={16} />} isPending={busy}>
          {t('export.name')}
        </Button>
        <Popover className="popover menu-popover">
          <Menu className="menu" aria-label={t('export.name')}>
            {formats.map(format => (
              <MenuItem key={format} id={format} className="menu-item" onAction={() => void write(format)}>
                {t(`export.${format}`)}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </span>
  );
};
