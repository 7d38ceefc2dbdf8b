import { useQuery } from '@tanstack/react-query';
import type { ImportRow, MemberImport } from '../../../contract/staff/imports.ts';
import { FIELD_LABELS } from '../../../domain/imports/import-fields.ts';
import { api } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { birthdayText } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';

const SHOWN_ROWS = 5;

/** The first rows as they would be stored: letters, names and days that were read wrongly show here. */
export function FirstRowsCard({ of: it }: { of: MemberImport }) {
  const query = useQuery({
    // Apart from the imports' other queries: reloaded after a discard, it would ask for rows that are gone.
    queryKey: ['first rows of an import', it.id, it.mapping, it.date_order, it.name_order, it.tier_names],
    queryFn: ({ signal }) => api.imports.listRows({ id: it.id, which: 'ready' }, { signal }),
  });
  const tierLabel = useTierLabel();
  return (
    <Card title="First Rows, as They Will Be Stored" padding="plain" className="overflow-clip">
      <Loaded query={query} failed="We couldn’t load the rows" lines={5} className="px-5 py-6">
        {({ rows }) => (
          <DataTable
            caption="First rows, as they will be stored"
            className="max-sm:[&_thead]:sr-only max-sm:[&_tbody_tr]:grid max-sm:[&_tbody_tr]:grid-cols-2 max-sm:[&_tbody_tr]:gap-x-3 max-sm:[&_tbody_tr]:gap-y-1 max-sm:[&_tbody_tr]:px-5 max-sm:[&_tbody_tr]:py-3 max-sm:[&_tbody_:is(td,th)]:p-0! max-sm:[&_td:last-child]:col-span-2"
            columns={columnsOf(tierLabel)}
            rows={rows.slice(0, SHOWN_ROWS)}
            rowKey={({ row_no }) => String(row_no)}
          />
        )}
      </Loaded>
    </Card>
  );
}

const columnsOf = (tierLabel: (tier: string) => string): Column<ImportRow>[] => [
  {
    key: 'first',
    header: FIELD_LABELS.first_name,
    isRowHeader: true,
    cell: ({ member }) => <span className="wrap-anywhere block sm:min-w-28">{member?.first_name}</span>,
  },
  {
    key: 'last',
    header: FIELD_LABELS.last_name,
    cell: ({ member }) => <span className="wrap-anywhere block sm:min-w-28">{member?.last_name}</span>,
  },
  {
    key: 'more',
    header: 'Everything else',
    grows: true,
    cell: ({ member }) =>
      member && (
        <dl className="grid gap-x-2 text-sm sm:min-w-72">
          {moreOf(member, tierLabel).map(([label, value]) => (
            <div key={label} className="flex flex-wrap gap-x-2">
              <dt className="text-ink-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      ),
  },
];

/** With the month's name: 3/4/2020 would not show a month read as a day. */
function dayInWords(text: string): string {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return birthdayText({ year, month, day });
}

/** The fields that the row has, with their labels. */
function moreOf(
  member: NonNullable<ImportRow['member']>,
  tierLabel: (tier: string) => string,
): [label: string, value: string][] {
  const { birthday, tier, member_since, paid_until, glasses_left } = member;
  const values = {
    email: member.email,
    phone: member.phone,
    birthday: birthday && birthdayText(birthday),
    tier: tier && tierLabel(tier),
    member_since: member_since && dayInWords(member_since),
    payment_reference: member.payment_reference,
    paid_until: paid_until && dayInWords(paid_until),
    glasses_left: glasses_left === null ? null : String(glasses_left),
    tags: member.tags.join(', '),
    allergies: member.allergies,
    notes: member.notes.join(' · '),
  };
  return Object.entries(values).flatMap(([field, value]): [string, string][] =>
    value ? [[FIELD_LABELS[field as keyof typeof values], value]] : [],
  );
}
