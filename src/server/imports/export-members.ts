import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import { localDate } from '../../domain/calendar.ts';
import { FIELD_LABELS, type ImportField } from '../../domain/imports/import-fields.ts';
import { writeBirthday, writeList, writeNotes } from '../../domain/imports/import-values.ts';
import { exportList } from '../audit/export-list.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import type { CsvCell } from '../platform/csv.ts';
import { isoInstant } from '../platform/sql-text.ts';
import type { ImportContext } from './import-context.ts';

const PAGE = 200;

/** The import's fields, in the file's order. The columns after them are for other systems; an import ignores them. */
const FIELDS = [
  'email',
  'first_name',
  'last_name',
  'phone',
  'birthday',
  'tier',
  'member_since',
  'payment_reference',
  'paid_until',
  'glasses_left',
  'tags',
  'allergies',
  'notes',
] as const satisfies readonly ImportField[];
const MORE = ['Paid', 'Stripe customer', 'Stripe subscription', 'Personal emails', 'Personal emails since'];

interface ExportedRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
  month: number | null;
  day: number | null;
  year: number | null;
  tier: string | null;
  member_since: string | null;
  payment_reference: string | null;
  paid_until: string | null;
  available: number | null;
  tags: string[];
  allergies: string | null;
  notes: string[];
  paid: string | null;
  stripe_customer_id: string | null;
  stripe_subscription_id: string | null;
  /** What the member last said to personal emails; null before they answered. */
  personal_emails: 'yes' | 'no' | null;
  personal_emails_at: string | null;
}

/** Everyone with an account who is not staff, as a file that can be imported again; recorded in the audit. */
export function exportMembers(ctx: ImportContext): Promise<CsvDownload> {
  return exportList(
    ctx,
    { act: 'members_exported', subject_id: null, facts: {} },
    {
      name: `members-${localDate(ctx.now(), ctx.venue.time_zone)}.csv`,
      header: [...FIELDS.map((it) => FIELD_LABELS[it]), ...MORE],
      async read(after: string | null) {
        const rows = await readPage(ctx, after);
        return { rows, next: rows[PAGE - 1]?.id ?? null };
      },
      toCells,
    },
  );
}

/** Reads in the order of the accounts, so that no one appears twice if data changes during the export. */
function readPage({ db, now, venue }: ImportContext, after: string | null): Promise<ExportedRow[]> {
  return rowsOf<ExportedRow>(
    db,
    sql`
    select p.id, p.email, p.first_name, p.last_name, p.phone,
           o.birth_month as month, o.birth_day as day, o.birth_year as year, o.allergies,
           coalesce(m.tier, c.tier) as tier, c.member_since::text as member_since,
           case when m.stripe_subscription_id is null then m.toast_reference_number end as payment_reference,
           m.paid_until::text as paid_until,
           case when m.toast_reference_number is not null then (select a.available
                  from member_allowance(c.id, ${now().toISOString()}::timestamptz, ${venue.time_zone}) a) end as available,
           coalesce((select jsonb_agg(t.label order by t.key) from member_tag x join tag t on t.id = x.tag_id
                      where x.customer_id = c.id), '[]') as tags,
           coalesce((select jsonb_agg(v.body order by n.created_at, n.id)
                       from member_note n
                       join lateral (select y.body from member_note_version y where y.note_id = n.id
                                      order by y.version desc limit 1) v on true
                      where n.customer_id = c.id and n.removed_at is null), '[]') as notes,
           case when m.stripe_subscription_id is not null then 'by card' when m.is_gift then 'by a gift' when m.on_the_house then 'on the house'
                when m.id is not null then 'at the venue'
                when exists (select from household_seat h where h.customer_id = c.id and h.ended_at is null) then 'shared'
           end as paid,
           b.stripe_customer_id, m.stripe_subscription_id,
           case when w.wanted then 'yes' when not w.wanted then 'no' end as personal_emails,
           ${isoInstant(sql`w.answered_at`)} as personal_emails_at
      from profiles p
      join user_roles r on r.user_id = p.id and r.role = 'customer'
      left join customers c on c.user_id = p.id
      left join memberships m on m.customer_id = c.id and m.status = 'active'
      left join member_about o on o.customer_id = c.id
      left join billing_customer b on b.user_id = p.id
      left join personal_email_answer w on w.user_id = p.id
     where p.erased_at is null and (${after}::uuid is null or p.id > ${after}::uuid)
     order by p.id limit ${PAGE}`,
  );
}

function toCells(row: ExportedRow): CsvCell[] {
  const { month, day, year } = row;
  return [
    row.email,
    row.first_name,
    row.last_name,
    row.phone,
    month && day ? writeBirthday({ month, day, year }) : null,
    row.tier,
    row.member_since,
    row.payment_reference,
    row.paid_until,
    row.available,
    writeList(row.tags),
    row.allergies,
    writeNotes(row.notes),
    row.paid,
    row.stripe_customer_id,
    row.stripe_subscription_id,
    row.personal_emails,
    row.personal_emails_at,
  ];
}
