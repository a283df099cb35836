import { partOnDemand } from '../../components/controls/on-demand.tsx';

/** What the frame shows of alerts, which the first screen does without. */
export const AlertsButton = partOnDemand(() => import('./alerts-button.tsx'), 'AlertsButton');
export const AlertToasts = partOnDemand(() => import('./alert-toasts.tsx'), 'AlertToasts');
