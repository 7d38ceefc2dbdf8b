import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import type { ClubField } from '../../../domain/club/club-settings.ts';

export const CLUB_LABELS: Record<ClubField, string> = {
  club_name: 'Name of the Club',
  support_email: 'Support Email',
  time_zone: 'Time Zone',
  minimum_age: 'Minimum Age',
  terms_url: 'Link to Your Terms',
  coordinates: 'Coordinates',
  service_amber: 'Warn at (glasses in 2 hours)',
  service_water: 'Offer Water at (glasses in 2 hours)',
  places: 'Places',
  accent: 'Color',
  birthday_glasses: 'On the House: Birthday',
  anniversary_glasses: 'On the House: Anniversary',
  hundredth_glasses: 'On the House: Hundredth Glass',
  grace_days: 'Grace after a Failed Payment (days)',
  pause_months: 'Longest Pause in Months',
  pause_months_a_year: 'Months of Pause a Year',
  renewal_reminder_days: 'Renewal Reminder (days before)',
  annual_notice: 'Yearly Reminder Email',
  retention_months: 'Delete Unused Accounts after (months)',
  page_on: 'Club Page',
  page_heading: 'Heading',
  page_words: 'Introduction',
  page_tiers: 'Show the Tiers',
  page_wines: 'Show Tonight’s Wines',
  page_places: 'Show Where You Pour',
  page_address: 'Address',
  page_hours: 'Hours',
  page_questions: 'Questions',
  terms_text: 'Terms',
  privacy_text: 'Privacy Text',
  privacy_url: 'Link to Your Privacy Page',
  imprint_text: 'Imprint',
  imprint_url: 'Link to Your Imprint',
  accessibility_text: 'Accessibility Text',
  accessibility_url: 'Link to Your Accessibility Page',
};

const FORMAT = 'Start a line with # for a heading. A blank line starts a new paragraph.';
const OWN_PAGE = 'If this page is on your own website. Leave blank to use the text here.';

export const CLUB_HINTS: Record<ClubField, string> = {
  club_name: 'On every page, in emails, on cards and passes.',
  support_email: 'Where members write with questions.',
  time_zone: 'Days, billing at the venue and reports start at midnight in this time zone.',
  minimum_age: 'New members confirm this age when they sign up and pay. Enter 0\u00a0for\u00a0no\u00a0limit.',
  grace_days: 'Members keep access for this long, with pours in proportion. 1\u00a0to\u00a021.',
  pause_months: 'The longest pause members can choose, in months. 0\u00a0to\u00a03; 0\u00a0for\u00a0none.',
  pause_months_a_year: 'How many of any twelve months members can pause. 1\u00a0to\u00a012.',
  renewal_reminder_days:
    'Members get an email this long before they are charged. 0\u00a0for\u00a0none; at\u00a0most\u00a027.',
  annual_notice:
    'A yearly email with the member’s price, how often it is charged, and how to cancel. Some places require it.',
  retention_months:
    'People without a membership who haven’t signed in for this long get an email. ' +
    'Their account is deleted 30 days later unless they sign in. 6\u00a0to\u00a0120; 0\u00a0for\u00a0never.',
  accent: 'Used for buttons, links and panels in the app, in emails and on wallet passes.',
  places: 'Where glasses are poured, in the order of the pour form.',
  terms_url: 'New members accept these terms when they sign up and pay. Leave blank if you have none.',
  coordinates:
    'Latitude and longitude, as a map shows them: 48.2082, 16.3738. Cards in wallets then appear on the phone near the venue.',
  service_amber: 'From this many glasses on, staff see a warning before they pour.',
  service_water: 'From this many glasses on, staff are reminded to offer water.',
  birthday_glasses: 'Pours given on a member’s birthday, if staff noted it. 0\u00a0for\u00a0none.',
  anniversary_glasses: 'Pours given on each anniversary of joining. 0\u00a0for\u00a0none.',
  hundredth_glasses: 'Pours given on the day of the hundredth glass. 0\u00a0for\u00a0none.',
  page_on: 'Anyone can read it, and search engines find it.',
  page_heading: 'Leave blank to show only the name of the club.',
  page_words: FORMAT,
  page_tiers: 'The tiers on offer, with their prices.',
  page_wines: 'The wines that are open now.',
  page_places: 'The places of your club, as in Settings.',
  page_address: 'Leave blank to show none.',
  page_hours: 'Leave blank to show none.',
  page_questions:
    'Start a line with # for a question, and write the answer below it. Leave blank to show none.',
  terms_text: FORMAT,
  privacy_text: `${FORMAT} The list of what is stored is added below your text.`,
  privacy_url: OWN_PAGE,
  imprint_text: FORMAT,
  imprint_url: OWN_PAGE,
  accessibility_text: FORMAT,
  accessibility_url: OWN_PAGE,
};

type Now = ClubSettingsView['now'];
const members = (n: number) => (n === 1 ? '1 member' : `${n} members`);

const forPauses = ({ paused }: Now) =>
  `Applies to pauses requested from now on. ${members(paused)} on a pause now: each comes back on the day they chose.`;

const MEANINGS: Partial<Record<ClubField, (now: Now) => string>> = {
  grace_days: ({ in_grace }) =>
    `Applies to payments that fail from now on. ${members(in_grace)} in these days now: each keeps the day they were given. ` +
    'Have Stripe retry for at least as many days: Billing settings, failed payments.',
  pause_months: forPauses,
  pause_months_a_year: forPauses,
  renewal_reminder_days: () =>
    'Takes effect now. Members who renew within that many days get the email within the hour, once per renewal.',
  annual_notice: ({ a_year }) =>
    `With Yes, ${members(a_year)} who joined a year ago or longer get the email within the hour, unless they had this year’s.`,
};
/** The effect of a change on members, shown before saving; undefined for most settings. */
export const changeMeaning = (field: ClubField, now: Now): string | undefined => MEANINGS[field]?.(now);
