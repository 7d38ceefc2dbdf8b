import { composeEmail, type Email, type Venue } from '../mail/email.ts';

/** The way back in for somebody who forgot their password. The token is kept out of logs: after the #. */
export function passwordResetEmail(venue: Venue, firstName: string, token: string, minutes: number): Email {
  return composeEmail(venue, firstName, 'Choose a new password', [
    'Somebody, we hope you, asked for a new password for your account. Choose it here:',
    `${venue.public_url}/reset-password#${token}`,
    `The link works once, for ${minutes} minutes. If you did not ask for it, there is nothing to do: your password stays as it is.`,
  ]);
}

/** Asks whether the address is theirs. The token is kept out of logs: after the #. */
export function verificationEmail(venue: Venue, firstName: string, token: string, hours: number): Email {
  return composeEmail(venue, firstName, 'Confirm your mail address', [
    'Your account was made with this mail address. Please confirm that it is yours:',
    `${venue.public_url}/verify-email#${token}`,
    `The link works for ${hours} hours. If you did not make an account, there is nothing to do: please do not follow it.`,
  ]);
}

/** To whoever signs up with an address that has an account: the page may not tell a stranger. */
export function accountExistsEmail(venue: Venue, firstName: string): Email {
  return composeEmail(venue, firstName, 'You have an account already', [
    'Somebody, we hope you, tried to make an account with this mail address. There is one already:',
    `Sign in: ${venue.public_url}/login`,
    `If you do not know its password, choose a new one: ${venue.public_url}/forgot-password`,
  ]);
}

/** Told to the owner, because somebody else may have done it. */
export function passwordChangedEmail(venue: Venue, firstName: string, passkeysRemoved: boolean): Email {
  return composeEmail(venue, firstName, 'Your password was changed', [
    'The password of your account was just changed, and every device that was signed in has been signed out. Accounts that were linked to it are no longer.',
    ...(passkeysRemoved ? ['Your passkeys were removed, too. You can add new ones in your settings.'] : []),
    'If that was not you, write to us at once.',
  ]);
}

/** Told to the owner, because somebody else may have done it. */
export function passkeyAddedEmail(venue: Venue, firstName: string, name: string): Email {
  return composeEmail(venue, firstName, 'A passkey was added', [
    `A passkey was just added to your account: ${name}. From now on it signs in without a password.`,
    `If that was not you, choose a new password; that removes it: ${venue.public_url}/forgot-password`,
  ]);
}

/** And when one is gone. */
export function passkeyRemovedEmail(venue: Venue, firstName: string, name: string): Email {
  return composeEmail(venue, firstName, 'A passkey was removed', [
    `A passkey of your account was just removed: ${name}. It no longer signs in.`,
    'If that was not you, write to us at once.',
  ]);
}

/** The last mail: to the owner, because somebody else may have done it. */
export function accountDeletedEmail(venue: Venue, firstName: string): Email {
  return composeEmail(venue, firstName, 'Your account was deleted', [
    'As you asked, your account was deleted, and with it all that we kept about you. Nothing more is charged.',
    'The number of glasses and the amounts that were paid stay in our books, without your name. This is the last mail from us, and we do not keep this address.',
    'If that was not you, write to us at once.',
  ]);
}

/** Told to the owner, because whoever has a session of theirs and their password could have done it. */
export function twoFactorChangedEmail(venue: Venue, firstName: string, on: boolean): Email {
  return composeEmail(venue, firstName, `Two-step sign-in was turned ${on ? 'on' : 'off'}`, [
    on
      ? 'From now on your password alone no longer signs you in: a code from your phone is asked for, too.'
      : 'From now on your password alone signs you in.',
    `If that was not you, choose a new password at once: ${venue.public_url}/forgot-password`,
  ]);
}

/** Told to the owner, because the request came to the venue in their name. settings: the page, with its slash. */
export function twoFactorResetEmail(venue: Venue, firstName: string, settings: string): Email {
  return composeEmail(venue, firstName, 'Two-step sign-in was turned off', [
    'As we were asked, two-step sign-in was turned off for your account, and every device that was signed in has been signed out. Your password alone signs you in now.',
    `Please set it up again: ${venue.public_url}${settings}`,
    'If that was not you, write to us at once.',
  ]);
}

/** Told to the owner: whoever has that account can sign in from now on. */
export function accountLinkedEmail(venue: Venue, firstName: string, provider: string): Email {
  return composeEmail(venue, firstName, `${provider} was linked to your account`, [
    `From now on you can sign in with ${provider}.`,
    `If that was not you, choose a new password at once: ${venue.public_url}/forgot-password. That also takes away everything that is linked.`,
  ]);
}

export function accountUnlinkedEmail(venue: Venue, firstName: string, provider: string): Email {
  return composeEmail(venue, firstName, `${provider} is no longer linked to your account`, [
    `${provider} no longer signs you in.`,
    'If that was not you, choose a new password and write to us.',
  ]);
}

/** Told to the owner: it can do what they can, from wherever it is. */
export function apiClientAddedEmail(venue: Venue, firstName: string, name: string): Email {
  return composeEmail(venue, firstName, 'A machine was given access to your account', [
    `"${name}" can use the club's system in your name from now on.`,
    `If that was not you, choose a new password at once: ${venue.public_url}/forgot-password. That also takes this access away.`,
  ]);
}
