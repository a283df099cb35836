import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-aria-components';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useRoute, type ListRoute } from '../../stores/route-store.ts';

const names: Readonly<Record<ListRoute['screen'], MessageKey>> = {
  payments: 'nav.payments',
  reconciliation: 'nav.reconciliation',
  overview: 'nav.overview',
  'month-end': 'month-end.report',
  callbacks: 'nav.callbacks',
  'look-up': 'nav.look-up',
  'bulk-look-up': 'look-up.now',
  'handover-note': 'nav.handover-note',
};

/** The way back from a payment or a customer. Esc does the same. */
export const Crumb = () => {
  const t = useText();
  const from = useRoute(state => state.from);
  return (
    <Link className="crumb" href={hrefOf(from)}>
      <ChevronLeft size={14} aria-hidden="true" />
      {t(names[from.screen])}
    </Link>
  );
};
