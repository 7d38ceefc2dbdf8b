import type { Contract } from '../../../contract/index.ts';
import type { CallName } from '../../api/call-limits.ts';

interface Tag {
  description: string;
  /** Nouns of the contract, or single calls of one whose calls are about different things. */
  calls: readonly (keyof Contract | CallName)[];
}

/** The groups in which the published document lists the calls, in this order. */
export const TAGS: Record<string, Tag> = {
  Pours: {
    description: 'Recording and voiding pours, and what is left.',
    calls: ['pours', 'glasses', 'households', 'guestGlasses', 'functions.getAvailablePours'],
  },
  Wines: {
    description: 'The list of wines, the bottles that are open, and what members think of them.',
    calls: ['wines', 'winePictures', 'ratings'],
  },
  Cards: {
    description: "The codes of a member's card: on the screen, on paper and in a wallet.",
    calls: ['functions.generateQrToken', 'functions.verifyQrToken', 'paperCards', 'walletPasses'],
  },
  Members: {
    description: 'Who is a member, and what staff note about them.',
    calls: [
      'members',
      'directory',
      'barSignUps',
      'memberRecord',
      'memberAccount',
      'memberLetters',
      'photos',
      'memberEvents',
      'outreach',
      'imports',
      'adoptions',
      'functions.generateProfileSummary',
    ],
  },
  Applications: { description: 'The survey, and its review.', calls: ['applications'] },
  Tiers: { description: 'What members can buy.', calls: ['tiers', 'tierSettings'] },
  Billing: {
    description: "A member's subscription, payments and refunds.",
    calls: [
      'billing',
      'membershipEnd',
      'gifts',
      'refunds',
      'functions.createCheckout',
      'functions.getSubscriptionDetails',
      'functions.cancelSubscription',
      'functions.verifySubscriptionStatus',
    ],
  },
  Reports: { description: 'Figures of the club.', calls: ['reports'] },
  Venue: {
    description: 'Its settings and first start, notices, the team, the audit and the state of the system.',
    calls: ['club', 'letters', 'setup', 'staffNotices', 'team', 'barDevices', 'audit', 'webhooks', 'system'],
  },
  'Signing in': { description: 'Accounts, sign-in, second factors and tokens.', calls: ['auth', 'tokens'] },
  Account: {
    description: "The signed-in user's own account.",
    calls: [
      'profile',
      'emailChange',
      'sessions',
      'linkedAccounts',
      'apiClients',
      'passkeys',
      'pushDevices',
      'privacy',
    ],
  },
};

/** The group of a call by its name, such as 'pours.record'; undefined for a call that is in none. */
export function tagOf(call: string): string | undefined {
  const names: string[] = [call, call.split('.')[0] ?? ''];
  return Object.keys(TAGS).find((tag) => TAGS[tag]?.calls.some((it) => names.includes(it)));
}
