import { z } from 'zod';
import { MAILING_OBSTACLES } from '../../domain/club/mailing.ts';
import { GET, id, POST, timestamp } from '../base.ts';
import { mailingFields } from '../forms/staff-fields.ts';
import { refusals } from '../refusals.ts';
import { memberFilter } from './directory.ts';

const mailing = z.object({
  id,
  subject: z.string(),
  text: z.string(),
  about_opening: z.boolean(),
  /** Null once that account is deleted. */
  sent_by: z.string().nullable(),
  created_at: timestamp,
  /** Members it was meant for when it was sent. */
  recipients: z.number().int(),
  /** Emails handed to the mail server's queue so far. */
  emailed: z.number().int(),
  /** Recipients with a pour in the week after their email. */
  came: z.number().int(),
  state: z.enum(['waiting', 'sending', 'sent', 'stopped']),
});
export type Mailing = z.infer<typeof mailing>;

const audience = z.object({
  /** Members on the list who said yes to personal emails: they get it. */
  wanted: z.number().int(),
  unasked: z.number().int(),
  refused: z.number().int(),
  obstacle: z.enum(MAILING_OBSTACLES).nullable(),
  /** When the club may write again, other than about its opening; null for now. */
  next_at: timestamp.nullable(),
});
export type MailingAudience = z.infer<typeof audience>;

/** Emails to the members on a filtered list: docs/rules/members.md, "Emails to a list". */
export const mailings = {
  list: GET('/mailings', {
    summary: 'List emails to lists of members',
    description: 'The last 50, newest first, with how many went out and who came in the week after.',
  }).output(z.array(mailing)),
  audience: POST('/mailings/audience', {
    summary: 'Count who would get an email to a list of members',
    description: 'By their answer about personal emails. A POST, because names in URLs end up in logs.',
  })
    .input(z.strictObject({ filter: memberFilter }))
    .output(audience),
  preview: POST('/mailings/preview', {
    summary: 'Preview an email to a list of members',
    description: 'As the first of them would get it. Nothing is sent or stored.',
  })
    .input(z.strictObject({ filter: memberFilter, ...mailingFields }))
    .errors(refusals('SETTING_REFUSED'))
    .output(z.object({ reader: z.string(), subject: z.string(), text: z.string() })),
  send: POST('/mailings', {
    summary: 'Email the members on a list',
    description:
      'Only those who agreed to personal emails, in batches that begin after a minute. Once a week, unless it is about the venue’s opening.',
    successStatus: 201,
  })
    .input(
      z.strictObject({
        request_id: id,
        filter: memberFilter,
        about_opening: z.boolean().default(false),
        ...mailingFields,
      }),
    )
    .errors(refusals('SETTING_REFUSED', 'MAILING_REFUSED'))
    .output(mailing),
  stop: POST('/mailings/{id}/stop', {
    summary: 'Stop an email to a list of members',
    description: 'Emails that have not gone out are withdrawn. Again, it changes nothing.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(mailing),
};
