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
    'The password of your account was just changed, and every device that was signed in has been signed out. Accounts that were linked to it are no longer.',
    'If that was not you, write to us at once.',
  ]);
}

/** Told to the owner: whoever has that account can sign in from now on. */
export function identityLinkedLetter(venue: Venue, firstName: string, provider: string): Letter {
  return letter(venue, firstName, `${provider} was linked to your account`, [
    `From now on you can sign in with ${provider}.`,
    `If that was not you, choose a new password at once: ${venue.public_url}/forgot-password. That also takes away everything that is linked.`,
  ]);
}

export function identityUnlinkedLetter(venue: Venue, firstName: string, provider: string): Letter {
  return letter(venue, firstName, `${provider} is no longer linked to your account`, [
    `${provider} no longer signs you in.`,
    'If that was not you, choose a new password and write to us.',
  ]);
}

/** Told to the owner: it can do what they can, from wherever it is. */
export function machineAddedLetter(venue: Venue, firstName: string, name: string): Letter {
  return letter(venue, firstName, 'A machine was given access to your account', [
    `"${name}" can use the club's system in your name from now on.`,
    `If that was not you, choose a new password at once: ${venue.public_url}/forgot-password. That also takes this access away.`,
  ]);
}
