/** Sign-up at the bar: docs/rules/membership.md, "Signing up at the bar". */

import type { ApplicationStatus } from '../application.ts';

/** Minutes for which the code on the screen leads to payment. */
export const PAYMENT_LINK_MINUTES = 15;

/** Kinds of owners of an email, as far as signing up is concerned. `account`: neither member nor applicant. */
export const KNOWN_PEOPLE = ['staff', 'member', 'former', 'applicant', 'account'] as const;
export type KnownPerson = (typeof KNOWN_PEOPLE)[number];

export function knownAs(person: {
  role: 'customer' | 'staff';
  /** Null for a person who was never a member. */
  customer: 'active' | 'inactive' | null;
  applies: boolean;
}): KnownPerson {
  if (person.role === 'staff') return 'staff';
  if (person.customer === 'active') return 'member';
  if (person.applies) return 'applicant';
  return person.customer ? 'former' : 'account';
}

/**
 * waiting: the code has not been opened. opened: on a phone, which has not continued. paying: on the payment page. expired:
 * the code's time is over. left: the payment page ended without a payment. member: paid, or approved. rejected: staff
 * rejected the application.
 */
export const SIGN_UP_STATES = [
  'waiting',
  'opened',
  'paying',
  'expired',
  'left',
  'member',
  'rejected',
] as const;
export type SignUpState = (typeof SIGN_UP_STATES)[number];

export interface SignUpFacts {
  application: ApplicationStatus;
  link: { expires_at: Date; opened_at: Date | null; continued_at: Date | null };
  isPageOpen: boolean;
}

/** The state of a sign-up that the member pays for on their own phone. */
export function signUpState({ application, link, isPageOpen }: SignUpFacts, now: Date): SignUpState {
  if (application === 'approved') return 'member';
  if (application === 'rejected') return 'rejected';
  if (link.continued_at) return isPageOpen ? 'paying' : 'left';
  if (link.expires_at <= now) return 'expired';
  return link.opened_at ? 'opened' : 'waiting';
}
