import { z } from 'zod';
import { CLUB_FIELDS } from '../../domain/club/club-settings.ts';
import {
  MAX_PLACE_ID_LENGTH,
  MAX_PLACE_NAME_LENGTH,
  MAX_PLACES,
  PLACE_ID,
  PLACE_NAME,
  type PlaceDraft,
  placesProblem,
} from '../../domain/club/places.ts';
import { DELETE, GET, PATCH, PUT } from '../base.ts';
import { clubColor, clubLines, legalFields, pageSwitches, pageTexts } from '../forms/club-fields.ts';
import { pictureContent, pictureVersion } from '../pictures/picture.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';

/** A null text is the default one. */
const legal = { text: z.nullable(legalFields.text), url: legalFields.url };

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
  ...clubLines,
  /** Null for the product's own. */
  accent: z.nullable(clubColor),
  places: listOf(z.object({ id: placeId, ...placeFields })),
  ...pageSwitches,
  // A null text is the default one.
  page_heading: z.nullable(pageTexts.page_heading),
  page_words: z.nullable(pageTexts.page_words),
  page_address: z.nullable(pageTexts.page_address),
  page_hours: z.nullable(pageTexts.page_hours),
  page_questions: z.nullable(pageTexts.page_questions),
  terms_text: legal.text,
  privacy_text: legal.text,
  privacy_url: legal.url,
  imprint_text: legal.text,
  imprint_url: legal.url,
  accessibility_text: legal.text,
  accessibility_url: legal.url,
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
