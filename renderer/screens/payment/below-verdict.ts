import { onDemand } from '../../components/controls/on-demand.tsx';

/** The history of a payment, which is below everything that answers "is it paid?". */
export const Timeline = onDemand(() => import('./timeline.tsx').then(m => m.Timeline), { takesKeys: false });

/** What moved and was tried, with the sheets' styles. */
export const LedgerPanel = onDemand(() => import('./operations/ledger-panel.tsx').then(m => m.LedgerPanel), {
  takesKeys: false,
});
