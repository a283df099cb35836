import type { ReactNode } from 'react';

/** A column by its head and its cells; a cell's class is for all rows or by row. */
export type Column<Row> = {
  /** Null in a table without heads. */
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** It names its row. */
  isName?: boolean;
  headClass?: string;
  className?: string;
};

/** A table of `rows`, with a column for each entry of `columns`, in their order. */
export const DataTable = <Row,>({
  className,
  label,
  columns,
  rows,
  keyOf,
  rowClass = () => '',
}: {
  className: string;
  label?: string;
  columns: Readonly<Record<string, Column<Row>>>;
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
  rowClass?: (row: Row) => string;
}) => {
  const shown = Object.entries(columns);
  return (
    <table className={className} aria-label={label}>
      {shown.every(([, { head }]) => head === null) ? null : (
        <thead>
          <tr>
            {shown.map(([name, { head, headClass }]) => (
              <th key={name} scope="col" className={headClass}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} className={rowClass(row)}>
            {shown.map(([name, { cell, isName, className: cellClass }]) =>
              isName ? (
                <th key={name} scope="row" className={cellClass}>
                  {cell(row)}
                </th>
              ) : (
                <td key={name} className={cellClass}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
