import { composeEmail, type Email, type Venue } from '../mail/email.ts';

/** link: its token stands after the #, which keeps it out of logs. days: how long it works. */
export function importedEmail(venue: Venue, firstName: string, link: string, days: number): Email {
  return composeEmail(venue, { letter: 'imported', first_name: firstName }, 'Your account is ready', [
    `${venue.club_name} has moved its memberships here and created an account for you. Choose a password to see your membership, your card and your pours:`,
    { button: 'Choose a Password', url: link },
    `The link works once, for ${days} days. After that, ask for another one: ${venue.public_url}/forgot-password`,
  ]);
}
