import { z } from 'zod';
import { AUDIT_ACTS } from '../../domain/staff/audit.ts';
import { answersFile, cursor, day, GET, id, timestamp } from '../base.ts';
import { csvDownload } from './csv-download.ts';

const person = z.object({
  user_id: id,
  /** Null if the account was deleted. */
  name: z.string().nullable(),
});

const auditEntry = z.object({
  id,
  at: timestamp,
  /** Null for the command line on the server's host, and for scheduled tasks. */
  actor: person.nullable(),
  /** A description such as 'Chrome on Android'. */
  device: z.string(),
  act: z.enum(AUDIT_ACTS),
  subject: person.nullable(),
  /** The changes: src/domain/staff/audit.ts. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** The range of years in which a venue can have entries. */
const auditDay = day.check(
  z.refine((it) => it >= '2000-01-01' && it < '3000-01-01', 'Enter a year from 2000 on'),
);

/** Filters of the entries; without a filter, all of them. */
const auditFilter = z.strictObject({
  /** A user's id, the command line, or scheduled tasks. */
  who: z.union([id, z.enum(['command_line', 'automatic'])]).optional(),
  /** `letter_sent`: the name of `email_sent` before 1.1, until 2.0. */
  what: z.enum([...AUDIT_ACTS, 'letter_sent']).optional(),
  whom: id.optional(),
  /** Days at the venue, both included. */
  from: z.optional(auditDay),
  to: z.optional(auditDay),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const audit = {
  list: GET('/audit', {
    summary: 'List the audit',
    description: 'What staff and the command line did, newest first, 50 on a page.',
  })
    .input(auditFilter.extend({ cursor }))
    .output(z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() })),
  export: GET('/audit/csv', {
    summary: 'Export the audit',
    description: 'As a file for spreadsheets, all pages in one.',
    ...answersFile('text/csv'),
  })
    .input(auditFilter)
    .output(csvDownload),
};
