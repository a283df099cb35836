import { onDemand } from '../../components/controls/on-demand.tsx';

/** What the frame shows of alerts, which the first screen does without. */
export const AlertsButton = onDemand(() => import('./alerts-button.tsx').then(m => m.AlertsButton), {
  takesKeys: false,
});
export const AlertToasts = onDemand(() => import('./alert-toasts.tsx').then(m => m.AlertToasts), {
  takesKeys: false,
});
