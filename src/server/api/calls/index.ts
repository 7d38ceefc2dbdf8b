import type { Calls } from '../call.ts';
import { accountCalls } from './account-calls.ts';
import { applicationCalls } from './application-calls.ts';
import { billingCalls } from './billing-calls.ts';
import { cardCalls } from './card-calls.ts';
import { memberCalls } from './member-calls.ts';
import { pourCalls } from './pour-calls.ts';
import { reportCalls } from './report-calls.ts';
import { signInCalls } from './sign-in-calls.ts';
import { tierCalls } from './tier-calls.ts';
import { venueCalls } from './venue-calls.ts';
import { wineCalls } from './wine-calls.ts';

/** The groups in which the published document lists the calls, in this order. */
export const GROUPS = [
  { name: 'Pours', description: 'Recording and voiding pours, and what is left.', calls: pourCalls },
  {
    name: 'Wines',
    description: 'The list of wines, the bottles that are open, and what members think of them.',
    calls: wineCalls,
  },
  {
    name: 'Cards',
    description: "The codes of a member's card: on screen, on paper and in a wallet.",
    calls: cardCalls,
  },
  { name: 'Members', description: 'Who is a member, and what staff note about them.', calls: memberCalls },
  { name: 'Applications', description: 'The survey, and its review.', calls: applicationCalls },
  { name: 'Tiers', description: 'What members can buy.', calls: tierCalls },
  { name: 'Billing', description: "A member's subscription, payments and refunds.", calls: billingCalls },
  { name: 'Reports', description: 'Figures of the club.', calls: reportCalls },
  {
    name: 'Venue',
    description: 'Settings, first start, notices, the team, the audit and the state of the system.',
    calls: venueCalls,
  },
  { name: 'Signing in', description: 'Accounts, sign-in, second factors and tokens.', calls: signInCalls },
  { name: 'Account', description: "The signed-in user's own account.", calls: accountCalls },
];

/** The row of every call of the contract; the compiler names a call that has none. */
export const CALLS: Calls = {
  ...pourCalls,
  ...wineCalls,
  ...cardCalls,
  ...memberCalls,
  ...applicationCalls,
  ...tierCalls,
  ...billingCalls,
  ...reportCalls,
  ...venueCalls,
  ...signInCalls,
  ...accountCalls,
};
