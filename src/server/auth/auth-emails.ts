import { type Button, composeEmail, type Email, type Venue } from '../mail/email.ts';

const resetPassword = (venue: Venue): Button => ({
  button: 'Reset My Password',
  url: `${venue.public_url}/forgot-password`,
});

/** The token stands after the #, which keeps it out of logs. minutes: how long the link works. */
export function passwordResetEmail(venue: Venue, firstName: string, token: string, minutes: number): Email {
  return composeEmail(venue, { letter: 'password_reset', first_name: firstName }, 'Choose a new password', [
    'Someone asked to reset the password of your account. If it was you, choose a new one:',
    { button: 'Choose a New Password', url: `${venue.public_url}/reset-password#${token}` },
    `The link works once, for ${minutes} minutes. If it was not you, ignore this email: your password stays the same.`,
  ]);
}

/** For someone whom staff signed up at the bar. link: where they choose a password; hours: how long it works. */
export function firstPasswordEmail(venue: Venue, firstName: string, link: string, hours: number): Email {
  return composeEmail(
    venue,
    { letter: 'first_password', first_name: firstName },
    'Choose your password',
    [
      `You were just signed up at the bar of ${venue.club_name}. To see your card and your pours, choose a password:`,
      { button: 'Choose a Password', url: link },
      `The link works once, for ${hours} hours. After that, get another one here: ${venue.public_url}/forgot-password`,
      'If it was not you, ignore this email: without a password nobody can sign in.',
    ],
    'sign-up',
  );
}

/** For a member who has no way to sign in yet, sent once more by staff. link, hours: as above. */
export function choosePasswordEmail(venue: Venue, firstName: string, link: string, hours: number): Email {
  return composeEmail(venue, { letter: 'choose_password', first_name: firstName }, 'Choose your password', [
    `You have an account at ${venue.club_name}. To see your card and your pours, choose a password:`,
    { button: 'Choose a Password', url: link },
    `The link works once, for ${hours} hours. After that, get another one here: ${venue.public_url}/forgot-password`,
    'If it was not you, ignore this email: without a password nobody can sign in.',
  ]);
}

/** The token stands after the #, which keeps it out of logs. hours: how long the link works. */
export function verificationEmail(venue: Venue, firstName: string, token: string, hours: number): Email {
  return composeEmail(
    venue,
    { letter: 'verification', first_name: firstName },
    'Confirm your email',
    [
      'An account was created with this email. Please confirm that it is yours:',
      { button: 'Confirm My Email', url: `${venue.public_url}/verify-email#${token}` },
      `The link works for ${hours} hours. If you did not create an account, ignore this email and do not follow the link.`,
    ],
    'sign-up',
  );
}

/** For a sign-up with the email of an account: the page must not reveal that there is one. */
export function accountExistsEmail(venue: Venue, firstName: string): Email {
  return composeEmail(
    venue,
    { letter: 'account_exists', first_name: firstName },
    'You already have an account',
    [
      'Someone tried to create an account with this email, which already has one. If it was you, sign in:',
      { button: 'Sign In', url: `${venue.public_url}/login` },
      `If you do not know the password, reset it: ${venue.public_url}/forgot-password`,
      'If it was not you, ignore this email.',
    ],
    'sign-up',
  );
}

/** Someone else may have done it, so the owner learns of it. */
export function passwordChangedEmail(venue: Venue, firstName: string, passkeysRemoved: boolean): Email {
  return composeEmail(
    venue,
    { letter: 'password_changed', first_name: firstName },
    'Your password was changed',
    [
      'The password of your account was just changed, and every device was signed out. Accounts that were linked to it are no longer linked.',
      ...(passkeysRemoved ? ['Your passkeys were also removed. You can add new ones in your settings.'] : []),
      'If this was not you, contact us right away.',
    ],
  );
}

/** For a change in the settings. Someone else may have done it, so the owner learns of it. */
export function passwordReplacedEmail(venue: Venue, firstName: string): Email {
  return composeEmail(
    venue,
    { letter: 'password_replaced', first_name: firstName },
    'Your password was changed',
    [
      'The password of your account was just changed in your settings. Every other device was signed out, and API clients were removed.',
      'If this was not you, reset your password right away:',
      resetPassword(venue),
    ],
  );
}

/** Someone else may have done it, so the owner learns of it. */
export function passkeyAddedEmail(venue: Venue, firstName: string, name: string): Email {
  return composeEmail(venue, { letter: 'passkey_added', first_name: firstName }, 'A passkey was added', [
    `A passkey was just added to your account: ${name}. It signs in without a password.`,
    'If this was not you, reset your password, which removes the passkey:',
    resetPassword(venue),
  ]);
}

/** Someone else may have done it, so the owner learns of it. */
export function passkeyRemovedEmail(venue: Venue, firstName: string, name: string): Email {
  return composeEmail(venue, { letter: 'passkey_removed', first_name: firstName }, 'A passkey was removed', [
    `A passkey was just removed from your account: ${name}. It no longer signs in.`,
    'If this was not you, contact us right away.',
  ]);
}

/** The last email. Someone else may have done it, so the owner learns of it. */
export function accountDeletedEmail(venue: Venue, firstName: string): Email {
  return composeEmail(
    venue,
    { letter: 'account_deleted', first_name: firstName },
    'Your account was deleted',
    [
      'As you asked, we deleted your account and the data we had about you. You will not be charged again.',
      'Our books keep the number of glasses and the amounts paid, without your name. This is our last email to you, and we do not keep your email.',
      'If this was not you, contact us right away.',
    ],
  );
}

/** Anyone with a session and the password could have done it, so the owner learns of it. */
export function twoFactorChangedEmail(venue: Venue, firstName: string, on: boolean): Email {
  return composeEmail(
    venue,
    { letter: on ? 'two_factor_on' : 'two_factor_off', first_name: firstName },
    `Two-step sign-in was turned ${on ? 'on' : 'off'}`,
    [
      on
        ? 'From now on, signing in takes a code from your phone in addition to your password.'
        : 'From now on, signing in takes only your password.',
      'If this was not you, reset your password right away:',
      resetPassword(venue),
    ],
  );
}

/** The request reached the venue in the owner's name, so they learn of it. settings: the page, with its slash. */
export function twoFactorResetEmail(venue: Venue, firstName: string, settings: string): Email {
  return composeEmail(
    venue,
    { letter: 'two_factor_reset', first_name: firstName },
    'Two-step sign-in was turned off',
    [
      'As requested, we turned off two-step sign-in for your account and signed out every device. Signing in now takes only your password.',
      'Please set it up again:',
      { button: 'Open My Settings', url: `${venue.public_url}${settings}` },
      'If this was not you, contact us right away.',
    ],
  );
}

/** The linked account can now sign in, so the user is told by email. */
export function accountLinkedEmail(venue: Venue, firstName: string, provider: string): Email {
  return composeEmail(
    venue,
    { letter: 'account_linked', first_name: firstName, values: { provider } },
    `${provider} was linked to your account`,
    [
      `You can now sign in with ${provider}.`,
      'If this was not you, reset your password right away. That also unlinks all linked accounts.',
      resetPassword(venue),
    ],
  );
}

export function accountUnlinkedEmail(venue: Venue, firstName: string, provider: string): Email {
  return composeEmail(
    venue,
    { letter: 'account_unlinked', first_name: firstName, values: { provider } },
    `${provider} is no longer linked to your account`,
    [
      `${provider} no longer signs you in.`,
      'If this was not you, reset your password and contact us.',
      resetPassword(venue),
    ],
  );
}

/** It can do what its owner can, from anywhere, so the owner learns of it. */
export function apiClientAddedEmail(venue: Venue, firstName: string, name: string): Email {
  return composeEmail(
    venue,
    { letter: 'api_client_added', first_name: firstName },
    'An API client was given access to your account',
    [
      `"${name}" can now use the club's system in your name.`,
      'If this was not you, reset your password right away. That also removes this access.',
      resetPassword(venue),
    ],
  );
}
