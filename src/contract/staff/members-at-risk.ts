import { z } from 'zod';
import {
  PERSONAL_EMAIL_OBSTACLES,
  PERSONAL_EMAIL_PLACES,
  RISK_KINDS,
  RISK_LEVELS,
} from '../../domain/reports/members-at-risk.ts';
import { answersFile, day, GET, id, linkToken, POST, PUT, timestamp } from '../base.ts';
import { personalEmail } from '../forms/staff-fields.ts';
import { refusals } from '../refusals.ts';
import { csvDownload } from './csv-download.ts';

const memberAtRisk = z.object({
  customer_id: id,
  user_id: id,
  name: z.string(),
  tier: z.string(),
  last_visit: z.nullable(day),
  days_away: z.number().int(),
  level: z.enum(RISK_LEVELS),
  /** The most urgent first. */
  risks: z.array(z.object({ kind: z.enum(RISK_KINDS), level: z.enum(RISK_LEVELS), text: z.string() })),
  act: z.string(),
  draft: z.object({ subject: z.string(), text: z.string() }),
  /** The last time the club sent the member an email for such a reason. */
  last_email: timestamp.nullable(),
  last_letter: timestamp.nullable().describe('The name of `last_email` before 1.1. It stays until 2.0.'),
  obstacle: z.enum(PERSONAL_EMAIL_OBSTACLES).nullable(),
});
export type MemberAtRisk = z.infer<typeof memberAtRisk>;

/** Members with that reason, among others; without it, all. */
const filter = z.strictObject({ reason: z.enum(RISK_KINDS).optional() });

const ownPersonalEmails = z.object({ wanted: z.boolean().nullable() });

/** Members who may leave, and emails to them: docs/rules/members.md, "Members at risk". */
export const membersAtRisk = {
  listAtRisk: GET('/members-at-risk', {
    summary: 'List members at risk',
    description: 'Those who may leave, with the reasons and one thing to do. The 200 most likely.',
  })
    .input(filter)
    .output(z.object({ total: z.number().int(), members: z.array(memberAtRisk) })),
  export: GET('/members-at-risk/csv', {
    summary: 'Export members at risk',
    description: 'All of them, as a file for spreadsheets.',
    ...answersFile('text/csv'),
  })
    .input(filter)
    .output(csvDownload),
  sendEmail: POST('/members-at-risk/{customer_id}/email', {
    summary: 'Email a member at risk',
    description:
      'One email, as approved. Only to members who agreed to such emails, and not twice within 30 days.',
    successStatus: 201,
  })
    .input(z.strictObject({ customer_id: id, request_id: id, ...personalEmail }))
    .errors(refusals('NOT_FOUND', 'LETTER_REFUSED'))
    .output(z.object({ sent_at: timestamp })),
  getOwn: GET('/personal-emails/own', {
    summary: 'Get whether the club may send the signed-in member personal emails',
    description: 'Covers personal emails from staff. Emails about the membership always arrive.',
  }).output(ownPersonalEmails),
  updateOwn: PUT('/personal-emails/own', {
    summary: 'Change whether the club may send the signed-in member personal emails',
    description: 'Covers personal emails from staff. Emails about the membership always arrive.',
  })
    .input(z.strictObject({ wanted: z.boolean(), place: z.enum(PERSONAL_EMAIL_PLACES) }))
    .output(ownPersonalEmails),
  unsubscribe: POST('/personal-emails/unsubscribe', {
    summary: 'Turn personal emails off by the link in one',
    description: 'Requires no sign-in. Emails about the membership always arrive.',
  })
    .input(z.strictObject({ token: linkToken }))
    .errors(refusals('LINK_INVALID'))
    .output(ownPersonalEmails),
};
