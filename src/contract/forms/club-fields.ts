import * as z from 'zod/mini';
import { isTimeZone } from '../../domain/calendar.ts';
import {
  CLUB_NUMBERS,
  type ClubNumber,
  isInRange,
  type NumberRange,
  numberRangeText,
} from '../../domain/club/club-settings.ts';
import { COLOR, colorProblem, colorText } from '../../domain/club/colors.ts';
import { readCoordinates } from '../../domain/club/coordinates.ts';
import { MAX_LEGAL_TEXT, PAGE_TEXT_LENGTHS } from '../../domain/club/public-pages.ts';
import { clubName } from './club-name.ts';
import { contactEmail } from './credentials.ts';
import { NOT_A_URL } from './staff-fields.ts';
import { requiredField, textField, trimmedField } from './text-field.ts';

function clubNumber(name: ClubNumber) {
  const range: NumberRange = CLUB_NUMBERS[name];
  const error = numberRangeText(range);
  return z.number(error).check(
    z.int(error),
    z.gte(range.orZero ? 0 : range.min, error),
    z.lte(range.max, error),
    z.refine((value) => isInRange(range, value), error),
  );
}

const NOT_AN_AGE = 'Enter 0 to 99.';

/** The URL of a page on the venue's own website; null if it has none. */
const ownPage = (error: string) =>
  z.nullable(textField(500).check(z.url({ protocol: /^https?$/, hostname: /.+/, error })));

/** The settings with one input each, by the card that saves them. */
export const clubCards = {
  club: {
    club_name: clubName,
    support_email: contactEmail,
    time_zone: textField(60).check(z.refine(isTimeZone, 'Choose a time zone, such as Europe/Vienna.')),
    minimum_age: z.number(NOT_AN_AGE).check(z.int(NOT_AN_AGE), z.gte(0, NOT_AN_AGE), z.lte(99, NOT_AN_AGE)),
    terms_url: ownPage('Enter an address that begins with https://'),
    coordinates: z.nullable(
      trimmedField(80).check(
        z.refine((place) => readCoordinates(place) !== null, 'Enter two numbers, such as 48.2082, 16.3738.'),
      ),
    ),
    /** 0 for never. */
    retention_months: clubNumber('retention_months'),
  },
  bar: {
    service_amber: clubNumber('service_amber'),
    service_water: clubNumber('service_water'),
    birthday_glasses: clubNumber('birthday_glasses'),
    anniversary_glasses: clubNumber('anniversary_glasses'),
    hundredth_glasses: clubNumber('hundredth_glasses'),
  },
  billing: {
    grace_days: clubNumber('grace_days'),
    pause_months: clubNumber('pause_months'),
    pause_months_a_year: clubNumber('pause_months_a_year'),
    renewal_reminder_days: clubNumber('renewal_reminder_days'),
    annual_notice: z.boolean(),
  },
};
export const clubLines = { ...clubCards.club, ...clubCards.bar, ...clubCards.billing };

const NOT_A_COLOR = 'Enter a color such as #6b182c.';
export const clubColor = textField(7, NOT_A_COLOR).check(
  z.toLowerCase(),
  z.regex(COLOR, { abort: true, error: NOT_A_COLOR }),
  z.refine((color) => colorProblem(color) === null, {
    error: ({ input }) => colorText(String(input)) ?? undefined,
  }),
);

export const pageSwitches = {
  page_on: z.boolean(),
  page_tiers: z.boolean(),
  page_wines: z.boolean(),
  page_places: z.boolean(),
};
export const pageTexts = {
  page_heading: trimmedField(PAGE_TEXT_LENGTHS.page_heading),
  page_words: trimmedField(PAGE_TEXT_LENGTHS.page_words),
  page_address: trimmedField(PAGE_TEXT_LENGTHS.page_address),
  page_hours: trimmedField(PAGE_TEXT_LENGTHS.page_hours),
  /** Each heading is a question, with its answer below. */
  page_questions: trimmedField(PAGE_TEXT_LENGTHS.page_questions),
};

export const legalFields = {
  url: ownPage(NOT_A_URL),
  text: requiredField(MAX_LEGAL_TEXT, 'Enter a text, or reset it to the default.'),
};
