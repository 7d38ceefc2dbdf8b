import { type Letter, letter, type Venue } from './letters.ts';

/** The way back in for somebody who forgot their password. The token is kept out of logs: after the #. */
export function recoveryLetter(venue: Venue, firstName: string, token: string, minutes: number): Letter {
  return letter(venue, firstName, 'Choose a new password', [
    'Somebody, we hope you, asked for a new password for your account. Choose it here:',
    `${venue.public_url}/reset-password#${token}`,
    `The link works once, for ${minutes} minutes. If you did not ask for it, there is nothing to do: your password stays as it is.`,
  ]);
}

/** Told to the owner, because somebody else may have done it. */
export function passwordChangedLetter(venue: Venue, firstName: string): Letter {
  return letter(venue, firstName, 'Your password was changed', [
    'The password of your account was just changed, and every device that was signed in has been signed out.',
    'If that was not you, write to us at once.',
  ]);
}
