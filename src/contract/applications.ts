import { z } from 'zod';
import { APPLICATION_STATUSES, SURVEY_RATINGS } from '../domain/application.ts';
import { answersFile, cursor, GET, id, POST, PUT, searchText, timestamp } from './base.ts';
import { referenceNumber, rejectionNotes } from './forms/staff-fields.ts';
import { surveyRating } from './forms/survey-fields.ts';
import { refusals } from './refusals.ts';
import { csvDownload } from './staff/csv-download.ts';
import { firstPayment } from './staff/dues.ts';
import { text } from './text.ts';

/** The survey's answers. docs/rules/membership.md, "Applications". */
export const surveyPreferences = z.strictObject({
  wine_knowledge: surveyRating,
  drinking_frequency: surveyRating,
  red_wine_preference: surveyRating,
  white_wine_preference: surveyRating,
  adventurousness: surveyRating,
});
export type SurveyPreferences = z.infer<typeof surveyPreferences>;

/** The preferences that staff read: keys of the survey and of applications entered by hand. Any may be missing. */
const storedPreferences = z.object({
  ...surveyPreferences.partial().shape,
  wineTypes: z.union([z.string(), z.array(z.string())]).optional(),
  tastingNotes: z.string().optional(),
  visitFrequency: z.string().optional(),
  comments: z.string().optional(),
});
export type StoredPreferences = z.infer<typeof storedPreferences>;

/** The ratings that the applicant set; the others kept their defaults. Null if unknown. */
const ratings = z.array(z.enum(SURVEY_RATINGS)).max(SURVEY_RATINGS.length).nullable();

export const application = z.object({
  id,
  user_id: id,
  status: z.enum(APPLICATION_STATUSES),
  is_complete: z.boolean(),
  selected_tier: z.string().nullable(),
  current_step: z.number().int(),
  preferences: storedPreferences.nullable(),
  rated: ratings,
  stripe_session_id: z.string().nullable(),
  created_at: timestamp,
});
export type Application = z.infer<typeof application>;

const applicant = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
});

/** Applicants do not get staff notes. */
export const reviewedApplication = z.object({
  ...application.omit({ stripe_session_id: true }).shape,
  applicant,
  notes: z.string().nullable(),
  reviewed_at: timestamp.nullable(),
});
export type ReviewedApplication = z.infer<typeof reviewedApplication>;

const filter = {
  status: z.enum(['all', ...APPLICATION_STATUSES]).default('pending'),
  tier: text(50).default('all'),
};
/** A list shows no phone numbers, which `get` shows one at a time. */
const listedApplication = reviewedApplication.extend({ applicant: applicant.omit({ phone: true }) });
export type ListedApplication = z.infer<typeof listedApplication>;
const applicationPage = z.object({
  applications: z.array(listedApplication),
  next_cursor: z.string().nullable(),
});
const counters = z.object({
  total: z.number().int(),
  /** All pending applications, complete or not, regardless of the filter. */
  pending: z.number().int(),
});

export const applications = {
  getOwn: GET('/applications/own', {
    summary: "Get the signed-in customer's pending application",
    description: 'Null without one.',
  }).output(application.nullable()),
  save: PUT('/applications/own', {
    summary: "Save the signed-in customer's application",
    description: 'A step of the survey, or the finished answers with a tier. The status becomes pending.',
  })
    .input(
      z
        .strictObject({
          id: id.optional(),
          preferences: surveyPreferences,
          rated: ratings.default(null),
          selected_tier: text(50).min(1).nullable().default(null),
          current_step: z.number().int().min(1).max(2),
          is_complete: z.boolean(),
        })
        .refine((it) => !it.is_complete || it.selected_tier !== null, {
          path: ['selected_tier'],
          message: 'Required',
        }),
    )
    .errors(refusals('ALREADY_MEMBER', 'APPLICATION_NOT_PENDING', 'NOT_FOUND', 'TIER_NOT_AVAILABLE'))
    .output(application),
  chooseTier: PUT('/applications/own/tier', {
    summary: 'Choose a tier without the survey',
    description:
      'The pending application, with its answers if there are any, is complete and ready to be paid. The survey can be taken later.',
  })
    .input(z.strictObject({ tier: text(50).min(1) }))
    .errors(refusals('ALREADY_MEMBER', 'TIER_NOT_AVAILABLE'))
    .output(application),
  list: GET('/applications', { summary: 'List applications', description: 'Newest first, filtered.' })
    .input(z.strictObject({ ...filter, cursor }))
    .output(applicationPage),
  search: POST('/applications/search', {
    summary: 'Search applications',
    description: 'By name or email. A POST, because names in URLs end up in logs.',
  })
    .input(z.strictObject({ ...filter, search: searchText, cursor }))
    .output(applicationPage),
  count: GET('/applications/count', {
    summary: 'Count applications',
    description: 'The two counters of the list, asked once for all its pages.',
  })
    .input(z.strictObject(filter))
    .output(counters),
  countFound: POST('/applications/search/count', { summary: 'Count the applications of a search' })
    .input(z.strictObject({ ...filter, search: searchText }))
    .output(counters),
  export: GET('/applications/csv', {
    ...answersFile('text/csv'),
    summary: 'Download applications',
    description: 'A file for spreadsheets, all pages in one. Not of a search: names in URLs end up in logs.',
  })
    .input(z.strictObject(filter))
    .output(csvDownload),
  get: GET('/applications/{id}', { summary: 'Get an application' })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(reviewedApplication),
  approve: POST('/applications/{id}/approve', {
    summary: 'Approve an application',
    description: 'Makes the applicant a member who pays at the venue.',
  })
    .input(
      z.strictObject({
        id,
        toast_reference_number: referenceNumber,
        ...firstPayment,
      }),
    )
    .errors(refusals('NOT_FOUND', 'APPLICATION_NOT_PENDING', 'ALREADY_MEMBER', 'DUES_REFUSED'))
    .output(z.object({ customer_id: id, membership_id: id })),
  reject: POST('/applications/{id}/reject', { summary: 'Reject an application' })
    .input(z.strictObject({ id, notes: rejectionNotes }))
    .errors(refusals('NOT_FOUND', 'APPLICATION_NOT_PENDING'))
    .output(reviewedApplication),
};
