import { z } from 'zod';
import { EMAIL_KIND_NAMES } from '../../domain/club/emails.ts';
import { answersFile, GET, PUT } from '../base.ts';
import { wordingFields } from '../forms/wording-fields.ts';
import { refusals } from '../refusals.ts';

const kind = z.enum(EMAIL_KIND_NAMES);
/** The venue's wording of an email. Stored wording is read with the same rule. */
export const emailWording = z.object(wordingFields);

const wordedEmail = z.object({
  kind,
  letter: kind.describe('The name of `kind` before 1.1. It stays until 2.0.'),
  default_subject: z.string(),
  wording: z.object({ subject: z.string(), opening: z.string(), closing: z.string() }),
  /** Increases with every change; a change names the version it is based on. */
  version: z.number().int(),
  /** Why this wording is ignored, such as a variable that no longer exists; null if it is used. */
  problem: z.string().nullable(),
});
export type WordedEmail = z.infer<typeof wordedEmail>;

const draft = z.strictObject({ kind, ...wordingFields });

/** The venue's wording of emails: docs/rules/emails.md, "Wording of emails". */
export const emails = {
  list: GET('/emails', {
    summary: 'List the emails that the club sends',
    description: 'Each with what the venue has written into it.',
  }).output(z.array(wordedEmail)),
  update: PUT('/emails/{kind}', {
    summary: 'Change the words of an email',
    description:
      'Empty words reset it. SETTINGS_CHANGED if someone else saved first, SETTING_REFUSED with what is wrong.',
  })
    .input(z.strictObject({ kind, version: z.number().int(), wording: z.strictObject(wordingFields) }))
    .errors(refusals('SETTINGS_CHANGED', 'SETTING_REFUSED'))
    .output(wordedEmail),
  preview: GET('/emails/{kind}/preview', {
    summary: 'Preview an email as text',
    description: 'With these words, as a made-up member would get it. Nothing is sent or stored.',
  })
    .input(draft)
    .errors(refusals('SETTING_REFUSED'))
    .output(z.object({ subject: z.string(), text: z.string() })),
  previewPage: GET('/emails/{kind}/preview.html', {
    summary: 'Preview an email as HTML',
    description: 'The same as a page, which a frame of the app shows without scripts.',
    ...answersFile('text/html'),
  })
    .input(draft)
    .errors(refusals('SETTING_REFUSED'))
    .output(
      z.object({
        headers: z.object({ 'content-type': z.string() }),
        body: z.custom<ReadableStream<Uint8Array>>((it) => it instanceof ReadableStream),
      }),
    ),
};
