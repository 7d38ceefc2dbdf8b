import { composeEmail, type Email, type Venue } from '../../mail/email.ts';

/** The token stands after the #, which keeps it out of logs. hours: how long the link works. */
export function invitationEmail(venue: Venue, invitedBy: string, token: string, hours: number): Email {
  return composeEmail(
    venue,
    { letter: 'staff_invitation', first_name: null, values: { invited_by: invitedBy } },
    'Join our staff',
    [
      `${invitedBy} invites you to join the staff of ${venue.club_name}: scanning cards, recording pours and reviewing applications.`,
      { button: 'Accept', url: `${venue.public_url}/invitation#${token}` },
      `The link works once, for ${hours} hours. If you did not expect this, ignore this email and do not follow the link.`,
    ],
    'sign-up',
  );
}
