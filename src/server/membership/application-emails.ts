import { pourCount } from '../../domain/pour.ts';
import { composeEmail, type Email, type Venue } from '../mail/email.ts';

/**
 * For a membership billed at the venue; members who pay by card hear from billing. `tier` is what the venue
 * calls it.
 */
export function approvedEmail(venue: Venue, firstName: string, tier: string, monthlyPours: number): Email {
  return composeEmail(
    venue,
    { letter: 'application_approved', first_name: firstName, values: { tier } },
    'Your application was approved',
    [
      `Welcome to ${venue.club_name}. Your ${tier} membership is active, with ${pourCount(monthlyPours)} each month. It is billed at the venue.`,
      'Show your card when you come by:',
      { button: 'Open My Card', url: `${venue.public_url}/qr-code` },
    ],
    'application',
  );
}

/** Without the staff's notes, which are not written for the applicant. */
export function rejectedEmail(venue: Venue, firstName: string): Email {
  return composeEmail(
    venue,
    { letter: 'application_rejected', first_name: firstName },
    'Your application was not accepted',
    [
      'We have reviewed your membership application and did not accept it.',
      'If you think this is a mistake, write to us. You can also apply again:',
      { button: 'Apply Again', url: `${venue.public_url}/apply` },
    ],
    'application',
  );
}
