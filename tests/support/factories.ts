import { v7 } from 'uuid';
import type { Customer } from '../../src/contract/members.ts';
import type { TestApp } from './app.ts';
import type { Caller } from './caller.ts';

export const RATINGS = {
  wine_knowledge: 5,
  drinking_frequency: 6,
  red_wine_preference: 8,
  white_wine_preference: 3,
  adventurousness: 9,
};

/** A finished application of that customer, not paid. Answers its id. */
export async function applied(customer: Caller, tier = 'select'): Promise<string> {
  const { id } = await customer.must<{ id: string }>('PUT', '/api/applications/mine', {
    preferences: RATINGS,
    selected_tier: tier,
    current_step: 2,
    is_complete: true,
  });
  return id;
}

export interface Member {
  caller: Caller;
  customer_id: string;
}

/** A member billed at the venue: applied, and approved by that staff member. */
export async function venueMember(app: TestApp, staff: Caller, tier = 'select'): Promise<Member> {
  const caller = await app.customer();
  const application = await applied(caller, tier);
  const { customer_id } = await staff.must<{ customer_id: string }>(
    'POST',
    `/api/applications/${application}/approve`,
    { toast_reference_number: 'T-1' },
  );
  return { caller, customer_id };
}

export const TEST_CARD = { number: '4242424242424242', expiry: '12/40', cvc: '123', name: 'Ada Guest' };

/** Pays the hosted checkout as a person would, by its form. Answers the address Stripe sends them to. */
export async function payAt(url: string, card: Partial<typeof TEST_CARD> = {}): Promise<string | null> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email: 'guest@example.test', ...TEST_CARD, ...card }),
  });
  return response.headers.get('location');
}

/** A member who paid by card, with the membership already converged. */
export async function cardMember(app: TestApp, tier = 'select'): Promise<Member> {
  const caller = await app.customer();
  const applicationId = await applied(caller, tier);
  const { url } = await caller.must<{ url: string }>('POST', '/api/functions/create-checkout', {
    tierName: tier,
    applicationId,
  });
  await payAt(url);
  await caller.must('POST', '/api/functions/verify-subscription-status', {});
  const { customer } = await caller.must<{ customer: Customer }>('GET', '/api/customers/me');
  return { caller, customer_id: customer.id };
}

export const aRequestId = () => v7();

/** Records a pour over the API; the answer is returned whatever it is. */
export function pour(staff: Caller, customer_id: string, overrides: Record<string, unknown> = {}) {
  return staff.call('POST', '/api/pours', {
    request_id: aRequestId(),
    customer_id,
    quantity: 1,
    location: 'bar',
    ...overrides,
  });
}
