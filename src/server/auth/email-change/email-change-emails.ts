import { composeEmail, type Email, type Venue } from '../../mail/email.ts';

/**
 * To the new email. The token stands after the #, which keeps it out of logs. hours: how long the link works. byStaff: staff
 * asked for the change.
 */
export function confirmNewEmail(
  venue: Venue,
  firstName: string,
  { token, hours, byStaff }: { token: string; hours: number; byStaff: boolean },
): Email {
  return composeEmail(venue, { letter: 'new_email', first_name: firstName }, 'Confirm your new email', [
    byStaff
      ? `Our staff entered this email for your account at ${venue.club_name}. Please confirm that it is yours:`
      : 'You asked to use this email for your account. Please confirm that it is yours:',
    { button: 'Confirm My New Email', url: `${venue.public_url}/change-email#${token}` },
    `The link works once, for ${hours} hours. Until you follow it, nothing changes. If you did not ask for this, ignore this email and do not follow the link.`,
  ]);
}

/** To the new email, where it has an account: the page must not reveal that there is one. */
export function newEmailTaken(venue: Venue, firstName: string): Email {
  return composeEmail(
    venue,
    { letter: 'new_email_taken', first_name: firstName },
    'You already have an account',
    [
      'Someone tried to use this email for another account. It already belongs to yours, so nothing was changed.',
      'If it was you: each account needs an email of its own. Sign in to this one:',
      { button: 'Sign In', url: `${venue.public_url}/login` },
      'If it was not you, ignore this email.',
    ],
  );
}

/** To the old email: someone else may have asked, and the owner can still stop it. */
export function emailChangeAskedFor(
  venue: Venue,
  firstName: string,
  { new_email, hours, byStaff }: { new_email: string; hours: number; byStaff: boolean },
): Email {
  const who = byStaff ? 'Our staff' : 'Someone signed in to your account';
  return composeEmail(
    venue,
    { letter: 'email_change_asked', first_name: firstName },
    'Your email is about to change',
    [
      `${who} asked to change ${byStaff ? 'the email of your account' : 'its email'} to ${new_email}. We sent a link there. Your email changes if the link is used within ${hours} hours; until then everything stays as it is.`,
      `${byStaff ? 'If you did not ask us to' : 'If this was not you'}, reset your password right away, which stops the change:`,
      { button: 'Reset My Password', url: `${venue.public_url}/forgot-password` },
    ],
  );
}

/** To the old email: from here on its owner can no longer reset the password. */
export function emailChanged(venue: Venue, firstName: string, newEmail: string): Email {
  return composeEmail(venue, { letter: 'email_changed', first_name: firstName }, 'Your email was changed', [
    `The email of your account is now ${newEmail}. You sign in with it, and our emails go there. Every other device was signed out, and API clients were removed.`,
    'If this was not you, contact us right away.',
  ]);
}

/**
 * To the old email, which nobody ever confirmed: it may be a stranger's, so the letter says neither the new email nor whose
 * account it is.
 */
export function emailCorrected(venue: Venue): Email {
  return composeEmail(
    venue,
    { letter: 'email_corrected', first_name: null },
    'This email is no longer used',
    [
      `Our staff entered another email for an account at ${venue.club_name} that had this one. It can no longer be used to sign in.`,
      'If the account is yours and this is a mistake, contact us right away.',
    ],
    'sign-up',
  );
}
