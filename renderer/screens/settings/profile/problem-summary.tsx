import { useEffect, useRef } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { useMessage, useText } from '../../../i18n/text.ts';
import { fieldLabels, focusField } from './form-fields.ts';

/** A problem's field as the form names it. */
const fieldOf = (path: string): string => {
  const name = path.replace(/^profile\./, '');
  return name.startsWith('merchant.address') ? 'merchant.address' : name;
};

/**
 * What keeps a profile from being saved, above the form: each problem leads to its field. It takes the focus, because
 * the button that was pressed is at the other end of a long form.
 */
export const ProblemSummary = ({
  problem,
}: {
  problem: AppError & { fields: NonNullable<AppError['fields']> };
}) => {
  const t = useText();
  const say = useMessage();
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    summary.current?.focus({ preventScroll: true });
    summary.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const order = Object.keys(fieldLabels);
  const placeOf = (path: string): number =>
    (order.indexOf(fieldOf(path)) + order.length) % (order.length + 1);
  const fields = problem.fields.toSorted((one, other) => placeOf(one.path) - placeOf(other.path));
  const show = (path: string): void =>
    void focusField(summary.current?.closest('form') ?? null, fieldOf(path));
  return (
    <section ref={summary} className="problem-summary" aria-labelledby="problem-summary-title" tabIndex={-1}>
      <h3 id="problem-summary-title">{t('profile.problems', { count: problem.fields.length })}</h3>
      <ul>
        {fields.map(({ path, message }) => {
          const label = fieldLabels[fieldOf(path)];
          return (
            <li key={path}>
              <button type="button" className="problem-link as-text ink-bad small" onClick={() => show(path)}>
                {label === undefined ? say(message) : `${t(label)}: ${say(message)}`}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
