import { useInfiniteQuery } from '@tanstack/react-query';
import type { ImportRow, MemberImport } from '../../../contract/staff/imports.ts';
import { KEPT_TEXT, PROBLEM_TEXT, REMARK_TEXT } from '../../../domain/imports/import-words.ts';
import { api, orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';

interface ImportRowsProps {
  of: MemberImport;
  /** 'ready': rows to import. 'problems': rows that cannot be imported. 'kept': rows that undoing left in place. */
  which: 'ready' | 'problems' | 'kept';
  caption: string;
}

/** On a phone the reason is below the person, so that no email breaks within a word. */
const REASON_BELOW = [
  'max-sm:[&_thead]:sr-only max-sm:[&_tbody_tr]:grid',
  'max-sm:[&_tbody_tr]:gap-x-3 max-sm:[&_tbody_tr]:gap-y-1 max-sm:[&_tbody_tr]:px-5 max-sm:[&_tbody_tr]:py-3',
  'max-sm:[&_tbody_:is(td,th)]:p-0!',
].join(' ');
const BESIDE_LINE = 'max-sm:[&_tbody_tr]:grid-cols-[2.5rem_1fr] max-sm:[&_td:last-child]:col-start-2';

export function ImportRows({ of: it, which, caption }: ImportRowsProps) {
  const query = useInfiniteQuery({
    // Rows checked with different columns are a different list.
    queryKey: [
      ...orpc.imports.key(),
      'rows',
      it.id,
      which,
      it.status,
      it.mapping,
      it.date_order,
      it.name_order,
      it.prices,
    ],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.imports.listRows({ id: it.id, which, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  return (
    <Loaded query={query} failed="We couldn’t load the rows" lines={5} className="px-5 py-6">
      {({ pages }) => (
        <>
          <DataTable
            caption={caption}
            className={classNames(REASON_BELOW, it.source === 'file' && BESIDE_LINE)}
            columns={columnsOf(it)}
            rows={pages.flatMap((page) => page.rows)}
            rowKey={({ row_no }) => String(row_no)}
          />
          {query.hasNextPage && (
            <div className="grid place-items-center border-line border-t p-4">
              <Button
                variant="secondary"
                size="sm"
                busy={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Show More Rows
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The place of the amount among a subscription's cells. */
const AMOUNT_COLUMN = 2;

const BECOMES_TEXT = {
  found: 'Their account here gets the membership.',
  made: 'They get an account here, and the membership.',
};

/** Why a row was not imported or was left in place; for a subscription that is taken over, the result. */
function whatOf({ kept_because, problems, becomes, remarks }: ImportRow): string {
  if (kept_because) return KEPT_TEXT[kept_because];
  const texts = remarks.map((it) => REMARK_TEXT[it]);
  return [
    ...problems.map((it) => PROBLEM_TEXT[it]),
    ...(becomes ? [BECOMES_TEXT[becomes]] : []),
    ...texts,
  ].join(' ');
}

function columnsOf({ mapping, source }: MemberImport): Column<ImportRow>[] {
  const cell = ({ cells }: ImportRow, column: number | undefined) =>
    column === undefined ? '' : (cells[column] ?? '');
  const nameOf = (row: ImportRow) =>
    `${cell(row, mapping.first_name)} ${cell(row, mapping.last_name)}`.trim() || cell(row, mapping.full_name);
  return [
    ...(source === 'file' ? [{ key: 'line', header: 'Line', cell: ({ line }: ImportRow) => line }] : []),
    {
      key: 'who',
      header: 'Who',
      isRowHeader: true,
      cell: (row) => (
        <span className="block min-w-40 max-w-72 wrap-anywhere sm:min-w-56">
          {nameOf(row) || '–'}
          <span className="block wrap-anywhere font-normal text-ink-muted text-sm">
            {cell(row, mapping.email)}
          </span>
          {source === 'stripe' && (
            <span className="block font-normal text-ink-muted text-sm">{row.cells[AMOUNT_COLUMN]}</span>
          )}
        </span>
      ),
    },
    {
      key: 'why',
      header: source === 'stripe' ? 'What happens' : 'Why',
      cell: (row) => <span className="block min-w-32">{whatOf(row)}</span>,
    },
  ];
}
