import { holdsLink } from './link.ts';

const ALL = ['club_name', 'support_email'] as const;

interface Described {
  group: 'Account' | 'Application' | 'Membership' | 'Payments' | 'Gifts' | 'Household' | 'Staff';
  /** The occasion of the email, for staff. */
  about: string;
  /** The recipient's name is not known yet. */
  nameless?: true;
  own: readonly string[];
}

const account = (purpose: string) => ({ group: 'Account', about: purpose, own: [] }) as const;
const membership = <const Own extends readonly string[]>(purpose: string, ownWords: Own) =>
  ({ group: 'Membership', about: purpose, own: ownWords }) as const;
const payment = <const Own extends readonly string[]>(purpose: string, ownWords: Own) =>
  ({ group: 'Payments', about: purpose, own: ownWords }) as const;
const gift = <const Own extends readonly string[]>(purpose: string, ownWords: Own) =>
  ({ group: 'Gifts', about: purpose, own: ownWords }) as const;
const shared = <const Own extends readonly string[]>(purpose: string, ownWords: Own) =>
  ({ group: 'Household', about: `${purpose}, to the partner`, own: ownWords }) as const;

/** Every kind of email that the product sends. Keys never change: the venue's wording is stored under them. */
export const EMAIL_KINDS = {
  password_reset: account('Someone asked to reset their password'),
  first_password: account('Signed up at the bar'),
  joined: account('Joined from a tier, and has no password yet'),
  choose_password: account('Staff resent the link to a first password'),
  imported: account('Imported from another system'),
  verification: account('A new account’s email is waiting to be confirmed'),
  account_exists: account('Someone tried to sign up with the email of an account'),
  password_changed: account('The password was reset'),
  password_replaced: account('The password was changed in the settings'),
  passkey_added: account('A passkey was added'),
  passkey_removed: account('A passkey was removed'),
  two_factor_on: account('Two-step sign-in was turned on'),
  two_factor_off: account('Two-step sign-in was turned off'),
  two_factor_locked: account('Someone entered wrong codes for two-step sign-in'),
  two_factor_reset: account('Staff turned two-step sign-in off'),
  account_linked: { group: 'Account', about: 'Another way to sign in was linked', own: ['provider'] },
  account_unlinked: { group: 'Account', about: 'A way to sign in was unlinked', own: ['provider'] },
  api_client_added: account('A program was given access'),
  new_email: account('A changed email is waiting to be confirmed'),
  new_email_taken: account('Someone tried to use the email for another account'),
  email_change_asked: account('The email is about to change'),
  email_changed: account('The email was changed'),
  email_corrected: {
    group: 'Account',
    about: 'Staff corrected an email that nobody had confirmed',
    nameless: true,
    own: [],
  },
  account_unused: {
    group: 'Account',
    about: 'The account has not been used for long and will be deleted',
    own: ['date'],
  },
  account_deleted: account('The account was deleted'),
  application_approved: { group: 'Application', about: 'Approved, paid at the venue', own: ['tier'] },
  on_the_house: { group: 'Membership', about: 'Given by the club', own: ['tier', 'date'] },
  house_ending: membership('A membership on the house ends soon', ['tier', 'date']),
  application_rejected: { group: 'Application', about: 'Not accepted', own: [] },
  welcome: membership('A new member', ['tier', 'date']),
  welcome_back: membership('A member again', ['tier', 'date']),
  tier_changed: membership('The tier changed', ['tier']),
  tier_change_scheduled: membership('The tier will change', ['tier', 'date']),
  tier_change_withdrawn: membership('The tier stays after all', ['tier']),
  price_announced: membership('The price will change', ['tier', 'date']),
  tier_move_announced: membership('The venue will move the member to another tier', ['tier', 'date']),
  price_move_withdrawn: membership('The price stays after all', ['tier']),
  pause_scheduled: membership('Paused', ['date']),
  pause_withdrawn: membership('Not paused after all', ['date']),
  pause_ended: membership('A pause ended early', ['tier', 'date']),
  return_reminder: membership('A pause ends soon', ['tier', 'date']),
  cancellation_scheduled: membership('Canceled by the member', ['date']),
  end_scheduled: membership('Ends on a later day', ['date']),
  ending_by_staff: membership('Staff are ending the membership', ['date']),
  cancellation_withdrawn: membership('Not canceled after all', []),
  ending_reminder: membership('A canceled membership ends soon', ['tier', 'date']),
  membership_ended: membership('Ended', []),
  membership_ended_unpaid: membership('Ended, unpaid', []),
  membership_ended_by_staff: membership('Ended by staff, right away', []),
  membership_suspended: membership('On hold', []),
  glasses_ending: membership('Pours that rolled over end soon', ['date']),
  annual_notice: membership('Once a year', ['tier']),
  payment_received: payment('Receipt', ['amount']),
  payment_failed: payment('A payment failed', ['date']),
  payment_refused: payment('A new payment method was declined', ['amount']),
  payment_to_confirm: payment('The bank asks to confirm a payment', ['amount']),
  access_restored: payment('A payment went through after all', ['tier']),
  payment_returned: payment('Refunded automatically', ['amount']),
  payment_refunded: payment('Refunded by staff', ['amount']),
  renewal_reminder: payment('A renewal is coming up', ['tier', 'date', 'amount']),
  dues_reminder: payment('A payment at the venue is due soon', ['amount', 'date']),
  dues_overdue: payment('A payment at the venue is overdue', ['amount', 'date']),
  year_ordered: membership('A year was paid for, and follows a month by card', ['tier', 'date']),
  year_started: membership('A year was paid for, and begins', ['tier', 'date']),
  year_ending: membership('A year that was paid at once ends soon', ['tier', 'date']),
  card_ordered: membership('A member at the venue changes to a card', ['tier', 'date']),
  dues_ended: payment('Ended, not paid at the venue', ['tier']),
  gift_bought: gift('A gift was paid for, to its buyer', ['tier', 'amount']),
  gift: {
    group: 'Gifts',
    about: 'The gift itself, to its recipient',
    nameless: true,
    own: ['giver', 'tier'],
  },
  gift_refunded: gift('A gift was refunded, to its buyer', ['tier', 'amount']),
  gift_started: gift('A gift was redeemed, to the new member', ['tier', 'date']),
  gift_ending: gift('A gift ends soon', ['tier', 'date']),
  gift_ended: gift('A gift ended', ['tier']),
  household_invitation: {
    group: 'Household',
    about: 'Invited to share a membership',
    nameless: true,
    own: ['holder'],
  },
  partner_joined: { group: 'Household', about: 'The invitation was accepted', own: ['partner'] },
  sharing_ended_holder: { group: 'Household', about: 'Sharing ended, to the holder', own: ['partner'] },
  sharing_ended_partner: { group: 'Household', about: 'Sharing ended, to the partner', own: ['holder'] },
  shared_active_again: shared('A shared membership is active again', ['holder']),
  shared_not_active: shared('A shared membership is not active', ['holder']),
  shared_pause_scheduled: shared('A shared membership will pause', ['holder', 'date']),
  shared_pause_withdrawn: shared('A shared membership will not pause after all', ['holder']),
  shared_ending: shared('A shared membership will end', ['holder', 'date']),
  shared_continues: shared('A shared membership will not end after all', ['holder']),
  system_alert: { group: 'Staff', about: 'Something is wrong, to the owners', own: ['problem'] },
  staff_invitation: { group: 'Staff', about: 'Invited to the team', nameless: true, own: ['invited_by'] },
} as const satisfies Record<string, Described>;

export type EmailKind = keyof typeof EMAIL_KINDS;
export const EMAIL_KIND_NAMES = Object.keys(EMAIL_KINDS) as [EmailKind, ...EmailKind[]];

export type OwnVariable<Kind extends EmailKind> = (typeof EMAIL_KINDS)[Kind]['own'][number];

/** The variables of an email, without their braces. */
export function variablesOf(kind: EmailKind): string[] {
  const { nameless, own }: Described = EMAIL_KINDS[kind];
  return [...(nameless ? [] : ['first_name']), ...ALL, ...own];
}

/** The venue's wording of an email. Empty fields leave the product's own subject and text. */
export interface EmailWording {
  /** One line; also the heading. */
  subject: string;
  /** Shown before the product's text; each line is a paragraph. */
  opening: string;
  /** Shown after the product's text; each line is a paragraph. */
  closing: string;
}
export const WORDING_FIELDS = ['subject', 'opening', 'closing'] as const;
type WordingField = (typeof WORDING_FIELDS)[number];

export const NO_WORDING: EmailWording = { subject: '', opening: '', closing: '' };
/** In characters. */
export const WORDING_LENGTHS: Record<WordingField, number> = { subject: 100, opening: 500, closing: 500 };
const MAX_PARAGRAPHS = 5;

const VARIABLE = /\{([a-z_]+)\}/g;
/** Control characters other than the line break, and characters that reverse the direction of text. */
const HIDDEN = /[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069\u2028\u2029]/u;

export const paragraphsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const ADDRESS = /(?<![^\s(])[\w.+'-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}(?=[.,;:!?)]*(?!\S))/gi;
/** A word with one capital letter that follows a full stop without a space. */
const SENTENCE = /(?<!\b[wW]{3})\.(\p{Lu}\p{Ll}+)(?![\p{L}\p{N}./:-])/gu;
/** Common top-level domains with more than two letters. */
const DOMAINS = new Set(
  (
    'com net org edu gov mil int info biz name pro mobi app dev xyz shop store online site website web page link click ' +
    'club wine bar vin beer pub top live life today world space cloud tech digital agency group team work email mail blog ' +
    'news media events party tickets deals gifts card money bank pay'
  ).split(' '),
);

/** The text without what staff may write: addresses of email, and sentences without a space before them. */
const withoutAddresses = (text: string): string =>
  text
    .replace(ADDRESS, ' ')
    .replace(SENTENCE, (match, word: string) =>
      word.length === 2 || DOMAINS.has(word.toLowerCase()) ? match : ` ${word}`,
    );

/** The problem with one field of an email's wording, in words for staff; null if there is none. */
export function wordingProblem(kind: EmailKind, field: WordingField, text: string): string | null {
  if (text.length > WORDING_LENGTHS[field]) return `Use at most ${WORDING_LENGTHS[field]} characters.`;
  if (field === 'subject' && text.includes('\n')) return 'Use one line.';
  if (paragraphsOf(text).length > MAX_PARAGRAPHS) return `Use at most ${MAX_PARAGRAPHS} paragraphs.`;
  if (holdsForeignLink(text)) {
    return 'Leave links out, and a space after each full stop. The email already has the links it needs.';
  }
  return plainTextProblem(text, variablesOf(kind));
}

/** Whether a mail program could turn a part of the text into a link, other than an address of email. */
export const holdsForeignLink = (text: string): boolean => holdsLink(withoutAddresses(text));

/** The problem with a text for an email that may use these variables, in words for staff; null if there is none. */
export function plainTextProblem(text: string, names: string[]): string | null {
  if (HIDDEN.test(text)) return 'Use plain text.';
  if (/<[a-z!/]/i.test(text)) return 'Use plain text. HTML won’t work here.';
  const list = names.map((name) => `{${name}}`).join(', ');
  const stranger = [...text.matchAll(VARIABLE)].find(([, name = '']) => !names.includes(name));
  if (stranger) return `${stranger[0]} isn’t available in this email. You can use ${list}.`;
  if (/[{}]/.test(text.replace(VARIABLE, ''))) return `Braces are for variables: ${list}.`;
  return null;
}

/** The first problem of a wording; null if it has none. */
export function wordingProblems(
  kind: EmailKind,
  wording: EmailWording,
): { field: WordingField; text: string } | null {
  for (const field of WORDING_FIELDS) {
    const text = wordingProblem(kind, field, wording[field]);
    if (text) return { field, text };
  }
  return null;
}

/** Replaces each variable once, not inside values. Null if the text names a variable without a value. */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string | null {
  let isMissing = false;
  const result = text.replace(VARIABLE, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) isMissing = true;
    return value ?? '';
  });
  return isMissing ? null : result;
}
