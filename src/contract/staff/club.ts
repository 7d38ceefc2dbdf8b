import { z } from 'zod';
import { isTimeZone } from '../../domain/calendar.ts';
import {
  CLUB_FIELDS,
  CLUB_NUMBERS,
  type ClubNumber,
  isInRange,
  type NumberRange,
  numberRangeText,
} from '../../domain/club/club-settings.ts';
import { COLOR, colorProblem, colorText } from '../../domain/club/colors.ts';
import {
  MAX_PLACE_ID_LENGTH,
  MAX_PLACE_NAME_LENGTH,
  MAX_PLACES,
  PLACE_ID,
  PLACE_NAME,
  type PlaceDraft,
  placesProblem,
} from '../../domain/club/places.ts';
import { MAX_LEGAL_TEXT, PAGE_TEXT_LENGTHS, type PageText } from '../../domain/club/public-pages.ts';
import { DELETE, GET, PATCH, PUT } from '../base.ts';
import { clubName } from '../forms/club-name.ts';
import { email } from '../forms/credentials.ts';
import { pictureContent, pictureVersion } from '../pictures/picture.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';

function clubNumber(name: ClubNumber) {
  const range: NumberRange = CLUB_NUMBERS[name];
  const error = numberRangeText(range);
  return z
    .number()
    .int()
    .min(range.orZero ? 0 : range.min, error)
    .max(range.max, error)
    .refine((value) => isInRange(range, value), error);
}

const NOT_A_COLOR = 'Enter a color such as #6b182c.';
/** An address of the venue's own page; null if it has none. */
const ownAddress = text(500)
  .check(z.url({ protocol: /^https?$/, hostname: /.+/, error: 'Enter a URL that starts with https://' }))
  .nullable();
/** Null for the default text. */
const pageText = (field: PageText) => text(PAGE_TEXT_LENGTHS[field]).trim().nullable();
const legalText = text(MAX_LEGAL_TEXT).trim().min(1, 'Enter a text, or reset it to the default.').nullable();

const placeFields = {
  name: text(MAX_PLACE_NAME_LENGTH)
    .trim()
    .min(1, 'Enter a name.')
    .regex(PLACE_NAME, 'Use letters, digits and single spaces.'),
  retired: z.boolean(),
};
const placeId = text(MAX_PLACE_ID_LENGTH).regex(PLACE_ID);
const listOf = <Schema extends z.ZodType<PlaceDraft>>(place: Schema) =>
  z
    .array(place)
    .max(MAX_PLACES)
    .superRefine((places, ctx) => {
      const message = placesProblem(places);
      if (message) ctx.addIssue({ code: 'custom', message });
    });

/** The allowed values of each setting. Stored values are read with the same rules, so an invalid one is never used. */
export const clubValues = {
  club_name: clubName,
  support_email: email,
  time_zone: text(60).refine(isTimeZone, 'Choose a time zone, such as Europe/Vienna.'),
  minimum_age: z.number().int().min(0, 'Enter 0 to 99.').max(99, 'Enter 0 to 99.'),
  terms_url: ownAddress,
  grace_days: clubNumber('grace_days'),
  pause_months: clubNumber('pause_months'),
  renewal_reminder_days: clubNumber('renewal_reminder_days'),
  /** 0 for never. */
  retention_months: clubNumber('retention_months'),
  annual_notice: z.boolean(),
  /** Null for the product's own. */
  accent: text(7, NOT_A_COLOR)
    .regex(COLOR, NOT_A_COLOR)
    .refine((color) => !COLOR.test(color) || colorProblem(color) === null, {
      error: ({ input }) => colorText(String(input)) ?? undefined,
    })
    .nullable(),
  service_amber: clubNumber('service_amber'),
  service_water: clubNumber('service_water'),
  places: listOf(z.object({ id: placeId, ...placeFields })),
  birthday_glasses: clubNumber('birthday_glasses'),
  anniversary_glasses: clubNumber('anniversary_glasses'),
  hundredth_glasses: clubNumber('hundredth_glasses'),
  page_on: z.boolean(),
  page_heading: pageText('page_heading'),
  page_words: pageText('page_words'),
  page_tiers: z.boolean(),
  page_wines: z.boolean(),
  page_places: z.boolean(),
  page_address: pageText('page_address'),
  page_hours: pageText('page_hours'),
  /** Each heading is a question, with its answer below. */
  page_questions: pageText('page_questions'),
  terms_text: legalText,
  privacy_text: legalText,
  privacy_url: ownAddress,
  imprint_text: legalText,
  imprint_url: ownAddress,
  accessibility_text: legalText,
  accessibility_url: ownAddress,
};
const values = z.object(clubValues);
const field = z.enum(CLUB_FIELDS);
/** Places as sent: a place without an id is new, an omitted one is retired. */
const changes = { ...clubValues, places: listOf(z.strictObject({ id: placeId.optional(), ...placeFields })) };

const settings = z.object({
  /** Increases with every change; a change names the version it is based on. */
  version: z.number().int(),
  values,
  defaults: values,
  changed: z.array(field),
  logo: z
    .object({
      version: pictureVersion,
      width: z.number().int(),
      height: z.number().int(),
      /** The background that the logo needs; null if it is visible on any. */
      plate: z.enum(['light', 'dark']).nullable(),
    })
    .nullable(),
  /** The version of /club-picture.jpg. */
  picture: pictureVersion.nullable(),
  /** The numbers of members that a change of the rules would affect: in grace, paused, and members for a year or longer. */
  now: z.object({ in_grace: z.number().int(), paused: z.number().int(), a_year: z.number().int() }),
});
export type ClubSettingsView = z.infer<typeof settings>;

/** The club's settings: docs/rules/club.md, "Settings of the club". */
export const club = {
  getSettings: GET('/club-settings', {
    summary: 'Get the club’s settings',
    description: 'As they are now, with the defaults of the configuration.',
  }).output(settings),
  saveLogo: PUT('/club-settings/logo', {
    summary: 'Save the club’s logo',
    description:
      'A JPEG, PNG or WebP of at most 45 KB in base64, stored as a PNG of at most 600 by 200 pixels. Anyone can read it at /club-logo.png.',
  })
    .input(z.strictObject({ content: pictureContent }))
    .errors(refusals('PICTURE_REFUSED'))
    .output(settings),
  removeLogo: DELETE('/club-settings/logo', {
    summary: 'Remove the club’s logo',
    description: 'Calling it again changes nothing.',
  }).output(settings),
  savePicture: PUT('/club-settings/picture', {
    summary: 'Save the picture of the club’s page',
    description:
      'A JPEG, PNG or WebP of at most 45 KB in base64, kept as a JPEG of 1200 by 630 pixels. Anyone reads it at /club-picture.jpg.',
  })
    .input(z.strictObject({ content: pictureContent }))
    .errors(refusals('PICTURE_REFUSED'))
    .output(settings),
  removePicture: DELETE('/club-settings/picture', {
    summary: 'Remove the picture of the club’s page',
    description: 'Calling it again changes nothing.',
  }).output(settings),
  listPlaces: GET('/places', {
    summary: 'List the places where the venue pours',
    description: 'Those on offer, in the order of the pour form: what `location` of a pour names.',
  }).output(z.array(z.object({ id: z.string(), name: z.string() }))),
  updateSettings: PATCH('/club-settings', {
    summary: 'Change the club’s settings',
    description:
      'Sets some, and resets others to their default. SETTINGS_CHANGED if someone else was faster.',
  })
    .input(
      z.strictObject({
        version: z.number().int(),
        changes: z.strictObject(changes).partial().default({}),
        reset: z.array(field).max(CLUB_FIELDS.length).default([]),
      }),
    )
    .errors(refusals('SETTINGS_CHANGED', 'SETTING_REFUSED'))
    .output(settings),
};
