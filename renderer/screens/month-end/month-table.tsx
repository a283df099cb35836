import type { ComponentProps } from 'react';
import { DataTable } from '../../components/display/data-table.tsx';

/** A table of the month, which scrolls sideways in a small window. */
export const MonthTable = <Row,>(props: Omit<ComponentProps<typeof DataTable<Row>>, 'className'>) => (
  <div className="wide-frame to-edges">
    <DataTable {...props} className="month-table full collapsed small tabular" />
  </div>
);
