import { emails, type Words } from '../mail/email-text.ts';

/** Why an account is deleted. */
export type DeletionCause = 'asked' | 'by staff' | 'unused';

const DELETIONS: Record<DeletionCause, string> = {
  asked: "As you asked, we deleted your account and the data we had about you. You won't be charged again.",
  'by staff':
    'As we were asked, we deleted this account and the data we had about its owner. Nothing will be charged again.',
  unused:
    "You hadn't used your account for a long time, so we deleted it and the data we had about you, as we wrote to you before.",
};

const NOT_YOU = "If this wasn't you, contact us right away.";
const resetPassword = ({ page }: Words) => ({ button: 'Reset My Password', url: page('/forgot-password') });
const signIn = ({ page }: Words) => ({ button: 'Sign In', url: page('/login') });
const EMAIL_IN_USE = 'You already have an account';

interface FirstPassword {
  link: string;
  hours: number;
}

const passwordLink = ({ link, hours }: FirstPassword, { page }: Words) => [
  { button: 'Choose a Password', url: link },
  `The link works once, for ${hours} hours. After that, you can get a new one here: ${page('/forgot-password')}`,
];
const firstPassword = (data: FirstPassword, words: Words) => [
  ...passwordLink(data, words),
  "If this wasn't you, ignore this email. Nobody can sign in until a password is chosen.",
];

/** Emails about accounts. The owner gets one about every change that someone else could have made. */
export const authEmails = emails<{
  password_reset: { token: string; minutes: number };
  first_password: FirstPassword;
  choose_password: FirstPassword;
  joined: FirstPassword;
  verification: { token: string; hours: number };
  account_exists: null;
  password_changed: { passkeys_removed: boolean };
  password_replaced: null;
  passkey_added: { name: string };
  passkey_removed: { name: string };
  two_factor_on: null;
  two_factor_off: null;
  two_factor_locked: null;
  /** The settings page of the user's role, such as '/account'. */
  two_factor_reset: { settings: string };
  account_linked: { provider: string };
  account_unlinked: { provider: string };
  api_client_added: { name: string };
  new_email: { token: string; hours: number; by_staff: boolean };
  new_email_taken: null;
  email_change_asked: { new_email: string; hours: number; by_staff: boolean };
  email_changed: { new_email: string };
  email_corrected: null;
  account_unused: { months: number; on: Date };
  account_deleted: { why: DeletionCause };
  /** The link to a first password, and how many days it works. */
  imported: { link: string; days: number };
  staff_invitation: { invited_by: string; token: string; hours: number };
}>('account', {
  password_reset: {
    subject: 'Choose a new password',
    content: ({ token, minutes }, { page }) => [
      'Someone asked to reset your password. If it was you, choose a new one:',
      { button: 'Choose a New Password', url: page('/reset-password', token) },
      `The link works once, for ${minutes} minutes. If this wasn't you, ignore this email. Your password stays the same.`,
    ],
    sample: { token: 'sample', minutes: 30 },
  },

  first_password: {
    topic: 'sign-up',
    subject: 'Choose your password',
    content: (data, words) => [
      `You were just signed up at ${words.venue.club_name}. To see your card and your pours, choose a password:`,
      ...firstPassword(data, words),
    ],
    sample: ({ page }) => ({ link: page('/reset-password', 'sample'), hours: 24 }),
  },

  choose_password: {
    subject: 'Choose your password',
    content: (data, words) => [
      `You have an account at ${words.venue.club_name}. To see your card and your pours, choose a password:`,
      ...firstPassword(data, words),
    ],
    sample: ({ page }) => ({ link: page('/reset-password', 'sample'), hours: 24 }),
  },

  // The device that paid is signed in, and its user may have typed another person's email.
  joined: {
    subject: 'Choose your password',
    content: (data, words) => [
      `You just joined ${words.venue.club_name}. To sign in on any other device, choose a password, unless you have done so already:`,
      ...passwordLink(data, words),
      "If this wasn't you, choose a password all the same: it signs out whoever used your email. Then contact us.",
    ],
    sample: ({ page }) => ({ link: page('/reset-password', 'sample'), hours: 24 }),
  },

  verification: {
    topic: 'sign-up',
    subject: 'Confirm your email',
    content: ({ token, hours }, { page }) => [
      "An account was created with this email. Please confirm that it's yours:",
      { button: 'Confirm My Email', url: page('/verify-email', token) },
      `The link works for ${hours} hours. If you didn't create an account, ignore this email and don't follow the link.`,
    ],
    sample: { token: 'sample', hours: 24 },
  },

  // Sent for a sign-up with the email of an account: the page must not reveal that there is one.
  account_exists: {
    topic: 'sign-up',
    subject: EMAIL_IN_USE,
    content: (_, words) => [
      'Someone tried to create an account with this email, but it already has one. If it was you, sign in:',
      signIn(words),
      `If you don't know your password, reset it: ${words.page('/forgot-password')}`,
      "If it wasn't you, ignore this email.",
    ],
  },

  password_changed: {
    subject: 'Your password was changed',
    content: ({ passkeys_removed }) => [
      'Your password was just changed, every device was signed out, and all linked accounts were unlinked.',
      ...(passkeys_removed
        ? ['Your passkeys were also removed. You can add new ones in your settings.']
        : []),
      NOT_YOU,
    ],
    sample: { passkeys_removed: false },
  },

  password_replaced: {
    subject: 'Your password was changed',
    content: (_, words) => [
      'Your password was just changed in your settings. Every other device was signed out, and API clients were removed.',
      "If this wasn't you, reset your password right away:",
      resetPassword(words),
    ],
  },

  passkey_added: {
    subject: 'A passkey was added',
    content: ({ name }, words) => [
      `A passkey was just added to your account: ${name}. You can use it to sign in without a password.`,
      "If this wasn't you, reset your password right away. That also removes the passkey:",
      resetPassword(words),
    ],
    sample: { name: 'Phone' },
  },

  passkey_removed: {
    subject: 'A passkey was removed',
    content: ({ name }) => [
      `A passkey was just removed from your account: ${name}. It can no longer be used to sign in.`,
      NOT_YOU,
    ],
    sample: { name: 'Phone' },
  },

  two_factor_on: {
    subject: 'Two-step sign-in was turned on',
    content: (_, words) => [
      "From now on, you'll need a code from your phone as well as your password to sign in.",
      "If this wasn't you, reset your password right away:",
      resetPassword(words),
    ],
  },

  two_factor_off: {
    subject: 'Two-step sign-in was turned off',
    content: (_, words) => [
      "From now on, you'll need only your password to sign in.",
      "If this wasn't you, reset your password right away:",
      resetPassword(words),
    ],
  },

  two_factor_locked: {
    subject: 'Someone entered wrong codes for your account',
    content: (_, words) => [
      'Someone who knows your password entered ten wrong codes. We take no code for a while, and for longer each time; on devices where you signed in before, you can still sign in.',
      "If this wasn't you, choose a new password right away:",
      resetPassword(words),
    ],
  },

  two_factor_reset: {
    subject: 'Two-step sign-in was turned off',
    content: ({ settings }, { page }) => [
      'As requested, we turned off two-step sign-in for your account and signed out every device. You now need only your password to sign in.',
      'Please set it up again:',
      { button: 'Open My Settings', url: page(settings) },
      NOT_YOU,
    ],
    sample: { settings: '/account' },
  },

  account_linked: {
    subject: ({ provider }) => `${provider} was linked to your account`,
    content: ({ provider }, words) => [
      `You can now sign in with ${provider}.`,
      "If this wasn't you, reset your password right away. That also unlinks all linked accounts:",
      resetPassword(words),
    ],
    values: (data) => data,
    sample: { provider: 'Google' },
  },

  account_unlinked: {
    subject: ({ provider }) => `${provider} is no longer linked to your account`,
    content: ({ provider }, words) => [
      `You can no longer sign in with ${provider}.`,
      "If this wasn't you, reset your password and contact us:",
      resetPassword(words),
    ],
    values: (data) => data,
    sample: { provider: 'Google' },
  },

  api_client_added: {
    subject: 'An API client was given access to your account',
    content: ({ name }, words) => [
      `"${name}" can now use the club's system on your behalf.`,
      "If this wasn't you, reset your password right away. That also removes this access:",
      resetPassword(words),
    ],
    sample: { name: 'Till' },
  },

  new_email: {
    subject: 'Confirm your new email',
    content: ({ token, hours, by_staff }, { venue, page }) => [
      by_staff
        ? `Our staff entered this email for your account at ${venue.club_name}. Please confirm that it's yours:`
        : "You asked to use this email for your account. Please confirm that it's yours:",
      { button: 'Confirm My New Email', url: page('/change-email', token) },
      `The link works once, for ${hours} hours. Until you follow it, nothing changes. If you didn't ask for this, ignore this email and don't follow the link.`,
    ],
    sample: { token: 'sample', hours: 24, by_staff: false },
  },

  // Sent to a new email that has an account: the page must not reveal that there is one.
  new_email_taken: {
    subject: EMAIL_IN_USE,
    content: (_, words) => [
      'Someone tried to use this email for another account. It already belongs to yours, so nothing was changed.',
      'If it was you: each account needs its own email. Sign in to this one:',
      signIn(words),
      "If it wasn't you, ignore this email.",
    ],
  },

  // Sent to the old email, whose owner can still stop the change.
  email_change_asked: {
    subject: 'Your email is about to change',
    content: ({ new_email, hours, by_staff }, words) => [
      by_staff
        ? `Our staff asked to change your account's email to ${new_email}, so we sent a link there. Your email will change if the link is used within ${hours} hours. Until then, nothing changes.`
        : `Someone signed in to your account asked to change its email to ${new_email}, so we sent a link there. Your email will change if the link is used within ${hours} hours. Until then, nothing changes.`,
      `${by_staff ? "If you didn't ask us to" : "If this wasn't you"}, reset your password right away. That stops the change:`,
      resetPassword(words),
    ],
    sample: { new_email: 'ada@example.com', hours: 24, by_staff: false },
  },

  // Sent to the old email, whose owner can no longer reset the password.
  email_changed: {
    subject: 'Your email was changed',
    content: ({ new_email }) => [
      `Your account's email is now ${new_email}. Use it to sign in; our emails will go there, too. Every other device was signed out, and API clients were removed.`,
      NOT_YOU,
    ],
    sample: { new_email: 'ada@example.com' },
  },

  // Sent to an old email that was never confirmed. It may be a stranger's, so it names neither new email nor owner.
  email_corrected: {
    topic: 'sign-up',
    subject: 'This email is no longer used',
    content: (_, { venue }) => [
      `Our staff replaced this email on an account at ${venue.club_name}. It can no longer be used to sign in.`,
      'If the account is yours and this is a mistake, contact us right away.',
    ],
  },

  account_unused: {
    subject: ({ on }, { day }) => `Your account will be deleted on ${day(on)}`,
    content: ({ months, on }, words) => [
      `You have no membership and haven't signed in for ${months} months, so we'll delete your account on ${words.day(on)}. To keep it, sign in before then:`,
      signIn(words),
      "If you don't need it, there is nothing to do. We'll delete your data; for our accounts we keep the number of pours and the amounts paid, without your name.",
    ],
    values: ({ on }, { day }) => ({ date: day(on) }),
    sample: { months: 24, on: new Date('2026-07-13T12:00:00Z') },
  },

  account_deleted: {
    subject: 'Your account was deleted',
    content: ({ why }) => [
      DELETIONS[why],
      "For our books, we keep the number of pours and the amounts paid, without your name. This is our last email to you; we don't keep your email.",
      ...(why === 'unused' ? [] : [NOT_YOU]),
    ],
    sample: { why: 'asked' },
  },

  imported: {
    subject: 'Your account is ready',
    content: ({ link, days }, { venue, page }) => [
      `${venue.club_name} has moved to a new membership system and created an account for you. Choose a password to see your membership, your card and your pours:`,
      { button: 'Choose a Password', url: link },
      `The link works once, for ${days} days. After that, you can get a new one here: ${page('/forgot-password')}`,
    ],
    sample: ({ page }) => ({ link: page('/reset-password', 'sample'), days: 14 }),
  },

  staff_invitation: {
    topic: 'sign-up',
    subject: 'Join our staff',
    content: ({ invited_by, token, hours }, { venue, page }) => [
      `${invited_by} has invited you to join the staff of ${venue.club_name}. You'll scan cards, record pours and review applications.`,
      { button: 'Accept', url: page('/invitation', token) },
      `The link works once, for ${hours} hours. If you weren't expecting this, ignore this email and don't follow the link.`,
    ],
    values: ({ invited_by }) => ({ invited_by }),
    sample: { invited_by: 'Ben', token: 'sample', hours: 72 },
  },
});
