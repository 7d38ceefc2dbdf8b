import { z } from 'zod';
import { ADOPTION_REMARKS } from '../../domain/imports/adoption.ts';
import { NAME_ORDERS } from '../../domain/imports/full-name.ts';
import {
  DATE_ORDERS,
  IMPORT_FIELDS,
  MAX_IMPORT_CELL,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  MAX_TIER_NAME,
  MAX_TIER_NAMES,
} from '../../domain/imports/import-fields.ts';
import {
  IMPORT_PROBLEMS,
  IMPORT_SOURCES,
  IMPORT_STATUSES,
  KEPT_REASONS,
  ROW_OUTCOMES,
} from '../../domain/imports/import-words.ts';
import { answersFile, cursor, DELETE, GET, id, POST, PUT, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { csvDownload } from './csv-download.ts';

const column = z
  .number()
  .int()
  .min(0)
  .max(MAX_IMPORT_COLUMNS - 1);
/** Columns by field, counted from 0. */
const mapping = z.partialRecord(z.enum(IMPORT_FIELDS), column);
/** The tier chosen for each tier name of the file that is unknown here, in lower case; null if none is chosen yet. */
const tierNames = z
  .record(text(MAX_TIER_NAME), text(100).nullable())
  .refine((it) => Object.keys(it).length <= MAX_TIER_NAMES, 'Too many names');
const dateOrder = z.enum(DATE_ORDERS);
const nameOrder = z.enum(NAME_ORDERS);
const count = z.number().int();

/** A price found at Stripe and its tier, which is null for a price that buys no membership. */
const foundPrice = z.object({
  price: z.string(),
  name: z.string(),
  unit_cents: count.nullable(),
  currency: z.string(),
  interval: z.string(),
  subscriptions: count,
  tier: z.string().nullable(),
});

const memberImport = z.object({
  id,
  source: z.enum(IMPORT_SOURCES),
  file_name: z.string(),
  status: z.enum(IMPORT_STATUSES),
  columns: z.array(z.string()),
  mapping,
  tier_names: tierNames,
  date_order: dateOrder,
  name_order: nameOrder,
  total_rows: count,
  /** Rows processed by the current step. */
  done_rows: count,
  prices: z.array(foundPrice).nullable(),
  /** Rows that can be imported, and the number of them that become members billed at the venue. */
  ready_rows: count,
  venue_rows: count,
  imported_rows: count,
  /** Rows left in place by undoing. */
  kept_rows: count,
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  /** Whether the import's rows still exist, so that it can be undone and has a report. */
  has_rows: z.boolean(),
  emails_wanted: z.boolean(),
  emailed_rows: count,
});
export type MemberImport = z.infer<typeof memberImport>;

/** A row of a file as it will be stored. */
const storedMember = z.object({
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  phone: z.string().nullable(),
  birthday: z.object({ month: count, day: count, year: count.nullable() }).nullable(),
  tier: z.string().nullable(),
  member_since: z.string().nullable(),
  payment_reference: z.string().nullable(),
  paid_until: z.string().nullable(),
  glasses_left: count.nullable(),
  tags: z.array(z.string()),
  allergies: z.string().nullable(),
  notes: z.array(z.string()),
});

const importRow = z.object({
  row_no: count,
  /** The row's place in the file, as a spreadsheet counts it. */
  line: count,
  cells: z.array(z.string()),
  /** Null for a row with a problem, and for a subscription. */
  member: storedMember.nullable(),
  problems: z.array(z.enum(IMPORT_PROBLEMS)),
  /** Remarks on a Stripe subscription that is taken over. */
  remarks: z.array(z.enum(ADOPTION_REMARKS)),
  becomes: z.enum(['found', 'made']).nullable(),
  outcome: z.enum(ROW_OUTCOMES).nullable(),
  kept_because: z.enum(KEPT_REASONS).nullable(),
  user_id: id.nullable(),
});
export type ImportRow = z.infer<typeof importRow>;

const MAX_ROWS_OF_REQUEST = 500;
const MAX_LINE = 10_000_000;

const ofImport = z.strictObject({ id });
const importRefusals = refusals('NOT_FOUND', 'IMPORT_CHANGED');

export const imports = {
  list: GET('/imports', {
    summary: 'List imports of members',
    description: 'The last twenty, the newest first.',
  }).output(z.array(memberImport)),
  create: POST('/imports', {
    successStatus: 201,
    summary: 'Begin an import of members',
    description: 'The rows follow.',
  })
    .input(
      z.strictObject({
        file_name: text(200).trim().min(1, 'Required'),
        columns: z.array(text(200)).min(1).max(MAX_IMPORT_COLUMNS),
      }),
    )
    .errors(refusals('IMPORT_OPEN', 'IMPORT_NEEDS_HEADER'))
    .output(memberImport),
  addRows: POST('/imports/{id}/rows', {
    summary: 'Send rows of the file',
    description:
      'They come after those that are there; the same ones again change nothing. `lines`: the place of each in the file, by default from 2.',
  })
    .input(
      ofImport.extend({
        first_row: z.number().int().min(1).max(MAX_IMPORT_ROWS),
        rows: z
          .array(z.array(text(MAX_IMPORT_CELL)).max(MAX_IMPORT_COLUMNS + 1))
          .min(1)
          .max(MAX_ROWS_OF_REQUEST),
        lines: z.array(z.number().int().min(1).max(MAX_LINE)).max(MAX_ROWS_OF_REQUEST).optional(),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED', 'IMPORT_TOO_LARGE'))
    .output(z.object({ total_rows: count })),
  check: PUT('/imports/{id}/mapping', {
    summary: 'Check every row',
    description: 'A dry run with these columns. Can be repeated with others.',
  })
    .input(
      ofImport.extend({
        mapping,
        date_order: dateOrder,
        name_order: nameOrder.default('first_last'),
        tier_names: tierNames.default({}),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED', 'IMPORT_MAPPING'))
    .output(memberImport),
  listRows: GET('/imports/{id}/rows', {
    summary: 'List rows of an import',
    description:
      '50 on a page: all of them, those to import, those with a problem, or those that undoing has kept.',
  })
    .input(ofImport.extend({ which: z.enum(['all', 'ready', 'problems', 'kept']).default('all'), cursor }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ rows: z.array(importRow), next_cursor: z.string().nullable() })),
  start: POST('/imports/{id}/start', {
    summary: 'Import the rows without a problem',
    description: 'In the background.',
  })
    .input(ofImport)
    .errors(importRefusals)
    .output(memberImport),
  discard: DELETE('/imports/{id}', {
    summary: 'Discard a file',
    description: 'An import that was not started, with its rows.',
  })
    .input(ofImport)
    .errors(importRefusals)
    .output(z.object({ removed: z.literal(true) })),
  undo: POST('/imports/{id}/undo', {
    summary: 'Undo an import',
    description: 'In the background: removes what the import created and nothing has used since.',
  })
    .input(ofImport)
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED', 'IMPORT_OPEN'))
    .output(memberImport),
  sendEmails: POST('/imports/{id}/emails', {
    summary: 'Email those who were imported',
    description: 'A link to set a password each, a few every second.',
  })
    .input(ofImport)
    .errors(importRefusals)
    .output(memberImport),
  report: GET('/imports/{id}/csv', {
    ...answersFile('text/csv'),
    summary: 'Download what became of each row',
    description: 'As a file for spreadsheets.',
  })
    .input(ofImport)
    .errors(refusals('NOT_FOUND'))
    .output(csvDownload),
  exportMembers: GET('/exports/members', {
    ...answersFile('text/csv'),
    summary: 'Download all members',
    description: 'As a file that can be imported again.',
  }).output(csvDownload),
};

/** Subscriptions of the connected Stripe account, taken over as memberships. Calls for imports read their rows. */
export const adoptions = {
  create: POST('/adoptions', {
    successStatus: 201,
    summary: 'Look at the subscriptions at Stripe',
    description: 'In the background: reads them, and reports what taking over each would do.',
  })
    .errors(refusals('IMPORT_OPEN', 'PAYMENTS_OFF'))
    .output(memberImport),
  check: PUT('/adoptions/{id}/tiers', {
    summary: 'Choose the tiers of the prices',
    description:
      'Of all that were found, by their ids; null for one that is no membership. Checks every row again.',
  })
    .input(ofImport.extend({ tiers: z.record(text(255), text(50).nullable()) }))
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED', 'IMPORT_MAPPING'))
    .output(memberImport),
  start: POST('/adoptions/{id}/start', {
    summary: 'Take the subscriptions over',
    description: 'In the background. Nobody is charged, and nobody gets an email.',
  })
    .input(ofImport)
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED'))
    .output(memberImport),
  undo: POST('/adoptions/{id}/undo', {
    summary: 'Give the subscriptions back',
    description: 'In the background: those not used since. They continue at Stripe.',
  })
    .input(ofImport)
    .errors(refusals('NOT_FOUND', 'IMPORT_CHANGED', 'IMPORT_OPEN'))
    .output(memberImport),
};
