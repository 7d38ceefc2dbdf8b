import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' ');

// Each row: a page of docs/rules | its words | a file of src | its code. Tests that import such a value pass with any other. A
// limit that changes on purpose changes here, on its page and in the code.
const LIMITS = `
accounts | fewer than four different characters | server/auth/password/guessable.ts | MIN_DIFFERENT = 4;
accounts | fewer than four letters left without | server/auth/password/guessable.ts | MIN_OTHER_LETTERS = 4;
accounts | up to four digits or signs around it | server/auth/password/guessable.ts | MAX_DECORATION = 4;
accounts | once, within 24 hours | server/auth/password/password-reset.ts | FIRST_PASSWORD_HOURS = 24;
accounts | 24 hours; confirms the email and nothing else | server/auth/email-verification.ts | LINK_HOURS = 24;
accounts | works for 24 hours, without being signed in | server/auth/email-change.ts | const LINK_HOURS = 24;
accounts | 5 an hour per email typed, 60 per client IP | server/auth/sign-in-limits.ts | '/send-verification-email': [{ max: 5, window: 3600 }],
accounts | three within 24 hours of the first, for any cause | server/mail/address-limits.ts | UNCONFIRMED_LIMIT = { max: 3, window: 86_400 };
accounts | twelve to all addresses of an inbox | server/mail/address-limits.ts | INBOX_LIMIT = { max: 12, window: 86_400 };
accounts | three within 24 hours: at a sign-up | server/mail/address-limits.ts | ENTERED_LIMIT = { max: 3, window: 86_400 };
accounts | over ten wrong ones in 15 minutes | server/auth/password/reauthenticate.ts | TRIES = { max: 10, window: 900 };
accounts | more than ten, or another account's | server/auth/passkeys/sign-in.ts | MAX_PASSKEYS = 10;
accounts | ends after 14 days without use, or after 90 days in all | server/auth/sessions/session-lifetime.ts | SESSION_IDLE_SECONDS = 14 * DAY;
accounts | after 90 days in all | server/auth/sessions/session-lifetime.ts | SESSION_ABSOLUTE_SECONDS = 90 * DAY;
accounts | 90 days after the last sign-in; beyond 50 per account | server/auth/known-devices.ts | KNOWN_FOR_DAYS = 90;
accounts | 90 days after the last sign-in; beyond 50 per account | server/auth/known-devices.ts | MAX_DEVICES = 50;
accounts | Ten times an hour | server/privacy/export.ts | EXPORTS = { max: 10, window: 3600 };
accounts | Over 5 attempts in 15 minutes | server/privacy/erasure.ts | DELETIONS = { max: 5, window: 900 };
accounts | an email; 30 days later | domain/retention.ts | RETENTION_NOTICE_DAYS = 30;
api | 10 within 15 minutes per account | server/auth/two-factor/factors.ts | TRIES = { max: 10, window: 900 };
api | 10 minutes; every request checks its session | server/auth/app-sessions/user-tokens.ts | USER_TOKEN_SECONDS = 10 * 60;
api | proved it in the last 10 minutes | server/auth/app-sessions/app-sessions.ts | PROOF_MINUTES = 10;
api | used again within 30 seconds | server/auth/app-sessions/app-sessions.ts | REUSE_GRACE_SECONDS = 30;
api | 15 minutes; every request checks client and role | server/auth/api-clients/access-tokens.ts | ACCESS_TOKEN_SECONDS = 15 * 60;
api | 20 in 15 minutes from one client IP, 100 an hour from all | server/auth/sign-in-limits.ts | { max: 20, window: 900, per: 'client IP' }, { max: 100, window: 3600 },
api | 20 in 15 minutes and 30 a day from that device | server/auth/rate-limits.ts | KNOWN_DEVICE_LIMITS = [ { max: 20, window: 900 }, { max: 30, window: 86_400 }, ];
api | sign-in with a passkey | | 60 a minute | server/auth/rate-limits.ts | SIGN_IN_STEP = { window: 60, max: 60 };
api | sign-up | | 60 an hour | server/auth/rate-limits.ts | '/sign-up/email': { window: 3600, max: 60 },
api | password reset, the link that confirms an email | 5 an hour | 60 an hour | server/auth/rate-limits.ts | '/request-password-reset': { window: 3600, max: 60 },
api | password reset, the link that confirms an email | 5 an hour | 60 an hour | server/auth/rate-limits.ts | '/send-verification-email': { window: 3600, max: 60 },
api | password reset, the link that confirms an email | 5 an hour | server/auth/sign-in-limits.ts | '/request-password-reset': [{ max: 5, window: 3600 }],
api | changing the email | 5 an hour | server/auth/email-change.ts | EMAIL_CHANGES = { max: 5, window: 3600 };
api | 10 in a row, then locked for 15 minutes | domain/second-step-lock.ts | CODES_TO_LOCK = 10;
api | locked for 15 minutes, and after every further 10 for 1, 4, 12 and 24 hours | domain/second-step-lock.ts | LOCK_SECONDS = [15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR];
api | 12 and 24 hours | domain/second-step-lock.ts | LONGEST_LOCK_SECONDS = 24 * HOUR;
api | after 100, until the owner signs in | domain/second-step-lock.ts | MOST_WRONG_CODES = 100;
api | Once a day, a new password opens it | server/auth/two-factor/second-step-lock.ts | OPENINGS = { max: 1, window: 86_400 };
api | 3,000 a minute | server/platform/call-limit-kinds.ts | bar: { max: 3000, window: 60 },
api | 1,200 a minute | server/platform/call-limit-kinds.ts | read: { max: 1200, window: 60 },
api | members and applications by name | 600 a minute | server/platform/call-limit-kinds.ts | search: { max: 600, window: 60 },
api | opening a stream | 120 a minute | server/platform/call-limit-kinds.ts | write: { max: 120, window: 60 },
api | calls that wait for Stripe | 30 a minute | server/platform/call-limit-kinds.ts | stripe: { max: 30, window: 60 },
api | the export | 30 a minute | server/platform/call-limit-kinds.ts | account: { max: 30, window: 60 },
api | 600 a minute for one client IP | server/platform/call-limit-kinds.ts | visitor: { max: 600, window: 60 },
api | 6,000 a minute for one client IP | server/platform/call-limit-kinds.ts | CLIENT_IP_LIMIT: Limit = { max: 6000, window: 60 };
api | Policy reports: 30 a minute for one client IP | server/http/csp-reports.ts | FROM_ONE_CLIENT = { max: 30, window: 60 };
api | 8 to 128 characters of any kind | contract/forms/credentials.ts | PASSWORD_MIN_LENGTH = 8;
api | 8 to 128 characters of any kind | contract/forms/credentials.ts | PASSWORD_MAX_LENGTH = 128;
api | from 4 to 64 KB | server/api/body-limits.ts | SMALLEST = 4 * 1024;
api | from 4 to 64 KB | server/api/body-limits.ts | MAX_BODY_BYTES = 64 * 1024;
api | 20 requests a minute not tied to a member's record | server/summary/summary.ts | WITHOUT_RECORD = { max: 20, window: 60 };
api | 600 characters; the model has 10 s | domain/summary.ts | MAX_SUMMARY_LENGTH = 600;
api | 600 characters; the model has 10 s | server/summary/model.ts | TIME_LIMIT_MS = 10_000;
api | 12 per user; each ends after 10 minutes | server/realtime/member-events.ts | MAX_STREAMS = 12;
api | 12 per user; each ends after 10 minutes | server/realtime/member-events.ts | LIFE_MS = 10 * 60_000;
billing | 7 days ahead or as many as the club set | domain/standing.ts | GRACE_DAYS = 7;
billing | end of period + 7 days | domain/standing.ts | TRUSTED_DAYS = 7;
billing | asked within 3 minutes, and Stripe has not answered | domain/tier-change.ts | CHANGE_TIMEOUT_MINUTES = 3;
billing | can be accepted for 15 minutes | domain/tier-change.ts | PREVIEW_MINUTES = 15;
billing | at least 30 days after the email | domain/price-move.ts | NOTICE_DAYS = 30;
billing | sweeper, every minute | server/main.ts | SWEEP_EVERY_MS = 60_000;
billing | checkout attempts older than 5 minutes | server/billing/upkeep/sweep-lists.ts | OVERDUE_AFTER_MS = 5 * MINUTE;
billing | of 30 days at most | server/billing/upkeep/missed-events.ts | LISTED_MS = 30 * DAY;
billing | older than 10 minutes, is processed as by one | server/billing/upkeep/missed-events.ts | ON_THEIR_WAY_MS = 10 * MINUTE;
billing | that were not processed within 6 hours | server/billing/upkeep/caught-up.ts | LATE_MS = 6 * HOUR;
billing | until webhooks have come for 30 hours | server/billing/upkeep/caught-up.ts | GAP_ENDS_MS = 1.25 * DAY;
billing | the bank sends it back, within 45 days | domain/staff/refund.ts | REFUND_MAY_FAIL_DAYS = 45;
billing | settled it and when, for 24 hours | domain/staff-notice.ts | SETTLED_NOTICE_SHOWN_HOURS = 24;
card | is valid for ten minutes | domain/card.ts | CARD_TTL_SECONDS = 600;
card | over 120 codes a minute by one staff member | server/card/card-token.ts | VERIFICATIONS = { max: 120, window: 60 };
card | The sixth time within a day | server/card/paper-card.ts | REPLACEMENTS = { max: 5, window: 86_400 };
card | 20 for each pass | server/wallet/apple-devices.ts | MAX_DEVICES = 20;
card | a Google pass of more than 1,800 characters | server/wallet/google-pass.ts | MAX_JWT_LENGTH = 1800;
club | grace, for payments that fail from then on; 1 to 21 | domain/club/club-settings.ts | grace_days: { preset: GRACE_DAYS, min: 1, max: 21 },
club | 6 to 120, 0 for never | domain/club/club-settings.ts | min: 6, max: 120, orZero: true
club | up to 30, at least one on offer | domain/club/places.ts | MAX_PLACES = 30;
club | at most 12,000 characters | domain/club/public-pages.ts | MAX_LEGAL_TEXT = 12_000;
emails | a subject over one line or 100 characters; other text over 500 characters or five paragraphs | domain/club/emails.ts | { subject: 100, opening: 500, closing: 500 };
emails | a subject over one line or 100 characters; other text over 500 characters or five paragraphs | domain/club/emails.ts | MAX_PARAGRAPHS = 5;
emails | always on | from five days before | domain/reminders.ts | ENDING_REMINDER_DAYS = 5;
emails | always on | from a week before | domain/membership/pause.ts | RETURN_REMINDER_DAYS = 7;
emails | ten per account, then the oldest is dropped | domain/push/push-endpoint.ts | MAX_PUSH_DEVICES = 10;
emails | once a period, from three days before its end | domain/push/push-message.ts | GLASSES_REMINDER_DAYS = 3;
emails | 9:00 to 21:00 at the venue | domain/push/push-message.ts | MORNING = 9;
emails | 9:00 to 21:00 at the venue | domain/push/push-message.ts | EVENING = 21;
gifts | 3, 6 or 12 months | domain/membership/gift.ts | GIFT_MONTHS = [3, 6, 12] as const;
gifts | today to a year ahead | domain/membership/gift.ts | GIFT_DAYS_AHEAD = 365;
gifts | from 9 o'clock on the chosen day | domain/membership/gift.ts | GIFT_HOUR = 9;
gifts | 100 bits, 20 letters and digits | domain/membership/gift.ts | GIFT_CODE_LENGTH = 20;
gifts | five times a day | server/billing/gifts/deliver-gifts.ts | SENDINGS = { max: 5, window: 86_400 };
gifts | 20 tries an hour per account | server/billing/gifts/redeem-gift.ts | TRIES = { max: 20, window: 3600 };
gifts | no later than 90 days after the email | domain/membership/gift.ts | GIFT_ADDRESS_DAYS = 90;
gifts | An email two weeks before says so | domain/membership/gift.ts | GIFT_REMINDER_DAYS = 14;
glasses | five days before they end | domain/membership/rollover.ts | ROLLOVER_REMINDER_DAYS = 5;
glasses | and every five minutes for everyone | server/pours/due-grants.ts | WRITE_DUE_GRANTS_EVERY_MS = 300_000;
glasses | At most twenty a day | server/pours/guest-glasses.ts | GIVEN = { max: 20, window: 86_400 };
glasses | when withdrawn, after 7 days | domain/membership/guest-glass.ts | GUEST_GLASS_DAYS = 7;
households | for one person, 7 days | domain/membership/household.ts | INVITATION_DAYS = 7;
households | a new one replaces it; ten a day | server/membership/household/household-invitations.ts | INVITATIONS = { max: 10, window: DAY_SECONDS };
imports | at most 50,000 rows and 200 columns | domain/imports/import-fields.ts | MAX_IMPORT_ROWS = 50_000;
imports | at most 50,000 rows and 200 columns | domain/imports/import-fields.ts | MAX_IMPORT_COLUMNS = 200;
imports | with a link to choose a password, 14 days | server/imports/email-batch.ts | LINK_DAYS = 14;
imports | deleted 30 days after the import | domain/imports/import-words.ts | ROWS_KEPT_DAYS = 30;
imports | of a file never imported after 7 | server/imports/member-imports.ts | UNSTARTED_DAYS = 7;
members | up to 10,000 | server/membership/directory/directory.ts | 10_000
members | at most 2,000 characters; edits keep the earlier text | domain/staff/member-record.ts | MAX_NOTE_LENGTH = 2000;
members | 20 per member, 200 per venue | domain/staff/member-record.ts | MAX_TAGS_OF_MEMBER = 20;
members | 20 per member, 200 per venue | domain/staff/member-record.ts | MAX_TAGS = 200;
members | at most 300 characters; in full at every scan | domain/staff/member-record.ts | MAX_ALLERGIES_LENGTH = 300;
members | at most 45,000 bytes, 4 million pixels and, as a JPEG, 50 scans | domain/picture.ts | MAX_PICTURE_BYTES = 45_000;
members | at most 45,000 bytes, 4 million pixels and, as a JPEG, 50 scans | domain/picture.ts | MAX_PICTURE_PIXELS = 4_000_000;
members | at most 45,000 bytes, 4 million pixels and, as a JPEG, 50 scans | domain/picture.ts | MAX_SCANS = 50;
members | Three an hour, within the limits of an unconfirmed email | server/auth/member-account/member-account.ts | RESENDS = { max: 3, window: 3600 };
members | 200 are shown, all are in the file | server/reports/at-risk/members-at-risk.ts | MAX_SHOWN = 200;
members | for 21 days | domain/reports/members-at-risk.ts | NOT_SEEN_DAYS = 21;
members | the last two verdicts of the past 90 days | domain/reports/members-at-risk.ts | VERDICT_DAYS = 90;
members | the last two verdicts of the past 90 days | domain/reports/members-at-risk.ts | VERDICTS_IN_A_ROW = 2;
members | with seven days or less left in the period | domain/reports/members-at-risk.ts | UNUSED_DAYS = 7;
members | medium, from 60 days on high | domain/reports/members-at-risk.ts | LONG_DAYS = 60;
members | three times their usual gap | domain/reports/members-at-risk.ts | TIMES_LONGER = 3;
members | in the year that ended with the last visit | domain/reports/members-at-risk.ts | USUAL_GAP_DAYS = 365;
members | within the last 30 days | domain/reports/members-at-risk.ts | PERSONAL_EMAIL_REST_DAYS = 30;
membership | 0 to 100, by default 0 | domain/membership/rollover.ts | MAX_ROLLOVER = 100;
membership | 0 to 20 of a period's pours | domain/membership/guest-glass.ts | MAX_GUEST_GLASSES = 20;
membership | five ratings from 1 to 10, 5 by default | domain/application.ts | RATING_DEFAULT = 5;
membership | five ratings from 1 to 10, 5 by default | domain/application.ts | RATING_MAX = 10;
membership | an approval for 14 days | domain/application.ts | APPROVAL_NEWS_DAYS = 14;
membership | Works for 15 minutes, and no longer once there is a newer one | domain/staff/bar-sign-up.ts | PAYMENT_LINK_MINUTES = 15;
membership | one, two or three months | domain/membership/pause.ts | PAUSE_MONTHS = [1, 2, 3] as const;
membership | months of pause in any twelve | domain/membership/pause.ts | PAUSE_YEAR_MONTHS = 12;
membership | it renews within the hour | domain/membership/pause.ts | PAUSE_LEAD_MINUTES = 60;
pages | a new one every 8 minutes | domain/card.ts | CARD_REFRESH_SECONDS = 480;
pages | the last 50, with date and time | server/pours/pour-lists.ts | MEMBER_HISTORY = 50;
pours | at most 100 glasses; notes have at most 500 characters | domain/pour.ts | MAX_POUR_QUANTITY = 100;
pours | at most 100 glasses; notes have at most 500 characters | domain/pour.ts | MAX_NOTES_LENGTH = 500;
pours | up to 31 days ago, or a minute ahead | domain/pour.ts | MAX_POUR_WAIT_DAYS = 31;
pours | in the last two hours, to the second | domain/membership/service.ts | SERVICE_HOURS = 2;
pours | who recorded it, within ten seconds | domain/pour.ts | UNDO_SECONDS = 10;
reports | at most five years; by day up to 62 days, by week up to 186 | domain/reports/report-range.ts | MAX_REPORT_DAYS = 1827;
reports | at most five years; by day up to 62 days, by week up to 186 | domain/reports/report-range.ts | MAX_DAILY = 62;
reports | at most five years; by day up to 62 days, by week up to 186 | domain/reports/report-range.ts | MAX_WEEKLY = 186;
reports | 300 shown, all in the file | server/reports/payments-report.ts | SHOWN = 300;
reports | since six in the morning at the venue | domain/reports/tonight.ts | BEGINS_AT_HOUR = 6;
staff | Works once, 72 hours | server/auth/team/invitations.ts | LINK_HOURS = 72;
staff | 100 bits, new at each start | domain/staff/setup-code.ts | SETUP_CODE_LENGTH = 20;
staff | After 20 tries from a client IP in 15 minutes | server/auth/first-start.ts | TRIES = { max: 20, window: 900 };
staff | 1, 2, 5, 10 or 30 idle minutes; at most 50 | domain/staff/staff-pin.ts | IDLE_MINUTES = [1, 2, 5, 10, 30] as const;
staff | 1, 2, 5, 10 or 30 idle minutes; at most 50 | server/auth/bar-devices/bar-devices.ts | MAX_DEVICES = 50;
staff | four digits, chosen by its owner | domain/staff/staff-pin.ts | PIN_DIGITS = 4;
staff | After five in a row PIN_LOCKED | domain/staff/staff-pin.ts | PIN_TRIES = 5;
staff | 60 wrong tries per tablet in 15 minutes | server/auth/bar-devices/bar-devices.ts | TRIES = { max: 60, window: 900 };
wines | More than 500 | domain/wine/wine.ts | MAX_WINES = 500;
wines | glasses per bottle default to 6 | domain/wine/wine.ts | USUAL_GLASSES_A_BOTTLE = 6;
wines | most poured in the last 30 days first | server/wines/wine-list.ts | RECENT_DAYS = 30;
wines | at most 200 characters; answering again replaces both | domain/taste.ts | MAX_COMMENT_LENGTH = 200;
wines | counts as two glasses of exactly that kind | domain/taste.ts | PRIOR_STRENGTH = 2;
wines | halved every 180 days | domain/taste.ts | HALF_LIFE_DAYS = 180;
glasses | 0 to 5 of this kind, as the club set, by default none | domain/club/club-settings.ts | birthday_glasses: { preset: 0, min: 0, max: 5 }, anniversary_glasses: { preset: 0, min: 0, max: 5 }, hundredth_glasses: { preset: 0, min: 0, max: 5 },
../run/connect | A token is valid for 15 minutes | server/auth/api-clients/access-tokens.ts | ACCESS_TOKEN_SECONDS = 15 * 60;
../run/connect | both the old and the new one sign for 24 hours | domain/staff/webhook.ts | WEBHOOK_SECRET_OVERLAP_HOURS = 24;
../run/connect | with any 2xx within 10 seconds | server/webhooks/post-webhook.ts | TIMEOUT_MS = 10_000;
../run/connect | after 30 seconds, 2, 10 and 30 minutes, 1, 3, 6, 12, 24 and 24 hours | domain/staff/webhook.ts | [ 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR, ];
../run/connect | for 30 days, after which messages and log are deleted | domain/staff/webhook.ts | WEBHOOK_KEPT_DAYS = 30;
../run/back-up | retried an hour later | server/db/backup/backups.ts | RETRY_MS = 3_600_000;
`;

const rows = LIMITS.trim()
  .split('\n')
  .map((line) => line.split(' | '))
  .map((parts) => ({
    page: parts[0],
    words: parts.slice(1, -2).join(' | '),
    file: parts.at(-2),
    code: parts.at(-1) ?? '',
  }));

test.each(rows)('$page says "$words", and so does the code', ({ page, words, file, code }) => {
  expect(read(`docs/rules/${page}.md`)).toContain(words);
  expect(read(`src/${file}`)).toContain(code);
});
