import { partOnDemand } from '../../components/controls/on-demand.tsx';

/** The history of a payment, which is below everything that answers "is it paid?". */
export const Timeline = partOnDemand(() => import('./timeline.tsx'), 'Timeline');

/** What moved and was tried, with the sheets' styles. */
export const LedgerPanel = partOnDemand(() => import('./operations/ledger-panel.tsx'), 'LedgerPanel');

/** What does not agree, with the comparison of two callbacks. */
export const Flags = partOnDemand(() => import('./flags.tsx'), 'Flags');
