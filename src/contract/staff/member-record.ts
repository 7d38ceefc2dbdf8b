import { z } from 'zod';
import { isBirthday, TIMELINE_KINDS } from '../../domain/staff/member-record.ts';
import { answersFile, cents, cursor, DELETE, GET, id, POST, PUT, timestamp } from '../base.ts';
import { allergies, memberNote, memberTag } from '../forms/staff-fields.ts';
import { refusals } from '../refusals.ts';
import { csvDownload } from './csv-download.ts';

const timelineEntry = z.object({
  /** The id of the source row; unique together with the kind. */
  id: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  at: timestamp,
  /** The staff member who acted; null for the member or an automatic action. */
  by: z.string().nullable(),
  tier: z.string().nullable(),
  /** Negative if glasses were taken. For 'rollable_changed', the change in the number that may roll over. */
  glasses: z.number().int().nullable(),
  /** The end of the glasses from a month, an advance or the previous month; or the new end of a moved month. */
  until: timestamp.nullable(),
  location: z.string().nullable(),
  amount: z.object({ cents, currency: z.string() }).nullable(),
  /** A note, the reason for a void, the subject of an email, the mark of a gift, or the months of a bought gift. */
  text: z.string().nullable(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

const note = z.object({
  id,
  body: z.string(),
  written_by: z.string(),
  written_at: timestamp,
  /** Earlier versions, the latest first. */
  earlier: z.array(z.object({ body: z.string(), written_by: z.string(), written_at: timestamp })),
  removed: z.object({ by: z.string(), at: timestamp }).nullable(),
});
export type MemberNote = z.infer<typeof note>;

const tag = z.object({ id, label: z.string() });
export type MemberTag = z.infer<typeof tag>;

const birthday = z
  .strictObject({
    month: z.number().int().min(1).max(12),
    day: z.number().int().min(1).max(31),
    year: z.number().int().min(1900).max(2100).nullable(),
  })
  .refine(isBirthday, 'There’s no such day');

const about = z.object({
  allergies: z.string().nullable(),
  birthday: z.object({ month: z.number(), day: z.number(), year: z.number().nullable() }).nullable(),
});
export type AboutMember = z.infer<typeof about>;

const ofMember = { customer_id: id };
const unknownMember = refusals('NOT_FOUND');

export const memberRecord = {
  listTimeline: GET('/customers/{customer_id}/timeline', {
    summary: 'List what happened to a member',
    description: 'Newest first, 30 on a page.',
  })
    .input(z.strictObject({ ...ofMember, cursor }))
    .errors(unknownMember)
    .output(z.object({ entries: z.array(timelineEntry), next_cursor: z.string().nullable() })),
  exportTimeline: GET('/customers/{customer_id}/timeline/csv', {
    ...answersFile('text/csv'),
    summary: 'Download the timeline of a member',
    description: 'A file for spreadsheets, all pages in one.',
  })
    .input(z.strictObject(ofMember))
    .errors(unknownMember)
    .output(csvDownload),
  listTags: GET('/tags', { summary: 'List the tags of the venue', description: 'By name.' }).output(
    z.array(tag),
  ),
  get: GET('/customers/{customer_id}/record', {
    summary: "Get a member's record",
    description: 'Notes, tags, allergies and birthday, and the tags there are.',
  })
    .input(z.strictObject(ofMember))
    .errors(unknownMember)
    .output(z.object({ notes: z.array(note), tags: z.array(tag), all_tags: z.array(tag), about })),
  addNote: POST('/customers/{customer_id}/notes', {
    summary: 'Add a note about a member',
    successStatus: 201,
  })
    .input(z.strictObject({ ...ofMember, body: memberNote }))
    .errors(unknownMember)
    .output(note),
  editNote: PUT('/notes/{id}', { summary: 'Edit a note', description: 'What it said before stays.' })
    .input(z.strictObject({ id, body: memberNote }))
    .errors(refusals('NOT_FOUND', 'NOTE_REMOVED'))
    .output(note),
  removeNote: DELETE('/notes/{id}', {
    summary: 'Remove a note',
    description: 'It stays, crossed out, so that staff can see what it said.',
  })
    .input(z.strictObject({ id }))
    .errors(unknownMember)
    .output(note),
  addTag: POST('/customers/{customer_id}/tags', {
    summary: 'Tag a member',
    description: 'Makes the tag if the venue has none of that name.',
    successStatus: 201,
  })
    .input(z.strictObject({ ...ofMember, label: memberTag }))
    .errors(refusals('NOT_FOUND', 'TOO_MANY_TAGS'))
    .output(tag),
  removeTag: DELETE('/customers/{customer_id}/tags/{tag_id}', {
    summary: 'Take a tag off a member',
    description: 'The tag goes too once no member has it.',
  })
    .input(z.strictObject({ ...ofMember, tag_id: id }))
    .errors(unknownMember)
    .output(z.object({ removed: z.literal(true) })),
  updateAbout: PUT('/customers/{customer_id}/about', { summary: "Change a member's allergies and birthday" })
    /** Null empties a field. */
    .input(z.strictObject({ ...ofMember, allergies, birthday: birthday.nullable() }))
    .errors(unknownMember)
    .output(about),
};
