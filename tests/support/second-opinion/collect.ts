import type { Club } from './club.ts';
import type { Membership } from './membership.ts';
import type { Person } from './person.ts';
import { pay } from './stripe-bills.ts';

// docs/rules/billing.md, "Billing: a new payment method".

interface Payers {
  now: number;
  club: Club;
  unshareFrom(person: Person): void;
}

/** A card that was not tried for the due invoice pays it, while grace runs or on hold. Once for each card. */
export function collect(payers: Payers, person: Person): void {
  const { membership, card } = person;
  const open = membership && !membership.over ? membership.plan?.open : null;
  if (!membership || !open || !card || open.tried.has(card)) return;
  open.tried.add(card);
  if (card.kind === 'pays') payOpen(payers, person, membership);
}

/** Pays the open charge, which brings a membership on hold back. */
export function payOpen(payers: Payers, person: Person, { plan }: Membership): void {
  if (!plan) return;
  const wasOnHold = plan.onHold;
  pay(person, plan, payers.now, payers.club);
  if (wasOnHold) payers.unshareFrom(person);
}
