import { Label, ProgressBar } from 'react-aria-components';

/** A progress bar. `total` 0: not known yet. */
export const Progress = ({ name, done, total }: { name: string; done: number; total: number }) => (
  <ProgressBar
    className="progress tracks"
    value={total === 0 ? 0 : (100 * done) / total}
    isIndeterminate={total === 0}
  >
    {({ percentage, valueText }) => (
      <>
        <span className="line spread small">
          <Label>{name}</Label>
          <span className="figures">{total === 0 ? '' : valueText}</span>
        </span>
        <span className="progress-track cut" aria-hidden="true">
          <span className="progress-bar block" style={{ inlineSize: `${percentage ?? 0}%` }} />
        </span>
      </>
    )}
  </ProgressBar>
);
