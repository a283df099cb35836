import type { ComponentProps } from 'react';
import type { MonthView } from '../../../shared/contract/statement-requests.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { useDay } from '../../i18n/text.ts';

/** A table of the month, which scrolls sideways in a small window. */
export const MonthTable = <Row,>(props: Omit<ComponentProps<typeof DataTable<Row>>, 'className'>) => (
  <div className="wide-frame to-edges">
    <DataTable {...props} className="month-table full collapsed small tabular" />
  </div>
);

/** The file of a statement. */
export const nameOf = ({ statements }: Pick<MonthView, 'statements'>, statement: string): string =>
  statements.find(one => one.statement === statement)?.name ?? '';

/** Writes the first and the last of some days. */
export const useDays = (): ((first: string | null, last: string | null) => string) => {
  const day = useDay();
  return (first, last) => {
    if (first === null || last === null) return '';
    return first === last ? day(first) : `${day(first)} – ${day(last)}`;
  };
};
