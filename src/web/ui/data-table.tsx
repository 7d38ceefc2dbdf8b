import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'center' | 'end';
  /** This cell names its row. */
  names?: boolean;
}

interface DataTableProps<Row> {
  /** Says what the table holds; read by screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  className?: string;
}

const alignments = { start: 'text-left', center: 'text-center', end: 'text-right' };
const cellLook = 'px-1.5 py-3 align-baseline first:pl-4 last:pr-4 sm:px-4 sm:first:pl-7 sm:last:pr-7';

export function DataTable<Row>({ caption, columns, rows, rowKey, className }: DataTableProps<Row>) {
  return (
    // Scrolls sideways where it must, so the keyboard has to reach it; positioned, so that the hidden words in
    // its cells do not widen the page instead.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
    <section aria-label={caption} tabIndex={0} className={classNames('relative overflow-x-auto', className)}>
      <table className="w-full border-collapse text-sm sm:text-base">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr className="border-line border-b">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classNames(
                  cellLook,
                  'font-semibold text-ink-muted text-xs',
                  alignments[column.align ?? 'start'],
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-line border-b last:border-b-0">
              {columns.map((column) => {
                const look = classNames(cellLook, 'tabular-nums', alignments[column.align ?? 'start']);
                return column.names ? (
                  <th key={column.key} scope="row" className={classNames(look, 'font-medium')}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={look}>
                    {column.cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
