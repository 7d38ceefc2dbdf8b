import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'center' | 'end';
  /** Takes the width that the others leave. */
  grows?: boolean;
  /** The cell that identifies its row, for screen readers. */
  isRowHeader?: boolean;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** If it returns false, no line separates the row from the one above. Without it, lines separate all rows. */
  beginsGroup?: (row: Row, above: Row | undefined) => boolean;
  className?: string;
}

const ALIGNMENTS = { start: 'text-left', center: 'text-center', end: 'text-right' };
// Below 352 px, four columns fit only with less space between them.
const CELL_STYLE =
  'px-1.5 py-3 align-baseline first:pl-4 last:pr-4 max-[22rem]:px-1 max-[22rem]:first:pl-2.5 max-[22rem]:last:pr-2.5 sm:px-4 sm:first:pl-7 sm:last:pr-7';

export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  beginsGroup,
  className,
}: DataTableProps<Row>) {
  return (
    // The region may scroll sideways, so the keyboard must reach it. Positioned, so that hidden text in its cells does not
    // widen the page.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
    <section aria-label={caption} tabIndex={0} className={classNames('relative overflow-x-auto', className)}>
      <table className="w-full border-collapse text-sm max-[22rem]:text-xs sm:text-base">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classNames(
                  CELL_STYLE,
                  'font-semibold text-ink-muted text-xs',
                  ALIGNMENTS[column.align ?? 'start'],
                  column.grows && 'w-full',
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr
              key={rowKey(row)}
              className={classNames(
                beginsGroup?.(row, rows[place - 1]) === false ? 'border-transparent' : 'border-line',
                place > 0 && 'border-t',
              )}
            >
              {columns.map((column) => {
                const Cell = column.isRowHeader ? 'th' : 'td';
                return (
                  <Cell
                    key={column.key}
                    scope={column.isRowHeader ? 'row' : undefined}
                    className={classNames(
                      CELL_STYLE,
                      'tabular-nums',
                      ALIGNMENTS[column.align ?? 'start'],
                      column.isRowHeader && 'font-medium',
                    )}
                  >
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
