import { z } from 'zod';
import { AUDIT_ACTS } from '../../domain/staff/audit.ts';
import { cursor, day, id, procedure, timestamp } from '../base.ts';
import { csvDownload } from './csv-download.ts';

const person = z.object({
  user_id: id,
  /** Null when the account is gone. */
  name: z.string().nullable(),
});

const auditEntry = z.object({
  id,
  at: timestamp,
  /** Null: the command line on the server's host. */
  actor: person.nullable(),
  /** Such as 'Chrome on Android'. */
  device: z.string(),
  act: z.enum(AUDIT_ACTS),
  /** The user it was done to; null for the venue. */
  subject: person.nullable(),
  /** What changed: src/domain/staff/audit.ts. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Limits of the years in which a venue can have entries. */
const auditDay = day.refine((it) => it >= '2000-01-01' && it < '3000-01-01', 'Enter a year from 2000 on');

/** Which entries; all of them without a filter. */
const auditFilter = z.strictObject({
  /** A user's id, or the command line. */
  who: z.union([id, z.literal('command_line')]).optional(),
  what: z.enum(AUDIT_ACTS).optional(),
  whom: id.optional(),
  /** The venue's days, both included. */
  from: auditDay.optional(),
  to: auditDay.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const audit = {
  list: procedure
    .route({
      method: 'GET',
      path: '/audit',
      summary: 'List the audit',
      description: 'What staff and the command line did, newest first, 50 on a page.',
    })
    .input(auditFilter.extend({ cursor }))
    .output(z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() })),
  export: procedure
    .route({
      method: 'GET',
      path: '/audit/csv',
      summary: 'Export the audit',
      description: 'As a file for spreadsheets, all pages in one.',
      outputStructure: 'detailed',
    })
    .input(auditFilter)
    .output(csvDownload),
};
