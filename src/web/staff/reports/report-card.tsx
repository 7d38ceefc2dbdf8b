import type { ComponentProps, ReactNode } from 'react';
import type { ReportName } from '../../../contract/staff/reports.ts';
import type { PaymentFilter } from '../../../domain/reports/payment-list.ts';
import type { ReportRange } from '../../../domain/reports/report-range.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CsvLink, fileUrl } from '../csv-link.tsx';

/** Rows of figures, dense enough to show many at once. */
const DENSE =
  '[&_table]:text-sm [&_:is(td,th)]:py-2 sm:[&_:is(td,th)]:px-3 sm:[&_:is(td,th):first-child]:pl-7 [&_tbody_th]:whitespace-nowrap';
/** The table is as wide as its columns need, beside the chart or below it. A high window shows a year of it. */
const BESIDE =
  'max-h-[max(24rem,100dvh-30rem)] overflow-y-auto border-line border-t @4xl:border-t-0 @4xl:border-l';

interface ReportFrameProps {
  title: string;
  lead?: string;
  range: ReportRange;
  file: ReportName;
  /** Narrows the payments of the file as on the page. */
  filter?: PaymentFilter;
  empty?: string | false;
  picture?: ReactNode;
  children?: ReactNode;
}

/** One report, with its file. */
export function ReportFrame(props: ReportFrameProps) {
  const { title, lead, range, file, filter, empty, picture, children } = props;
  return (
    <Card
      title={title}
      padding="plain"
      // A long title wraps before the file moves below it.
      className="overflow-hidden [&>:first-child>h2]:flex-1 [&>:first-child>h2]:basis-32"
      aside={
        empty ? undefined : (
          <span className="-mr-3">
            <CsvLink
              href={fileUrl(`/api/reports/${file}/csv`, { ...range, ...filter })}
              label={`${title} as a CSV file`}
            />
          </span>
        )
      }
    >
      {empty ? (
        <EmptyState title="Nothing to show yet" text={empty} />
      ) : (
        <>
          {lead && <p className="max-w-[76ch] px-5 pt-4 pb-3 text-ink-muted text-sm sm:px-7">{lead}</p>}
          <div className="@container">
            <div className={picture ? 'grid @4xl:grid-cols-[minmax(24rem,1fr)_auto]' : undefined}>
              {picture && (
                <div aria-hidden="true" className="min-w-0 overflow-x-clip px-3 py-5 sm:px-5">
                  {picture}
                </div>
              )}
              <div className={classNames(DENSE, 'min-w-0', picture ? BESIDE : false)}>
                {children}
                {/* A table that continues below its end fades out there. */}
                {picture && (
                  <div className="pointer-events-none sticky bottom-0 h-10 bg-linear-to-t from-surface" />
                )}
              </div>
            </div>
          </div>
        </>
      )}
    </Card>
  );
}

type ReportCardProps<Row> = Omit<ReportFrameProps, 'children'> & {
  table: Omit<ComponentProps<typeof DataTable<Row>>, 'caption'>;
};

/** A chart, and the same figures as a table, for screen readers and as a file. */
export function ReportCard<Row>({ table, ...frame }: ReportCardProps<Row>) {
  return (
    <ReportFrame {...frame}>
      <DataTable caption={frame.title} {...table} />
    </ReportFrame>
  );
}
