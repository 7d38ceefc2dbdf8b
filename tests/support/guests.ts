import { Caller } from './caller.ts';
import { applied, aRequestId, payAt } from './factories.ts';
import { DEMO, newEmail } from './product.ts';

const PASSWORD = 'correct horse';

/** Somebody with an account on a running product, made over its API. */
export interface Guest {
  email: string;
  password: string;
  caller: Caller;
}

export interface VenueGuest extends Guest {
  customer_id: string;
  /** Staff pours for them. Answers the id of the pour. */
  pour(quantity: number): Promise<string>;
  staff: Caller;
}

/** A new account, without an application. */
export async function newGuest(url: string, first_name = 'Ada', last_name = 'Lovelace'): Promise<Guest> {
  const caller = new Caller(url, url);
  const email = newEmail();
  await caller.must('POST', '/api/auth/sign-up/email', { first_name, last_name, email, password: PASSWORD });
  return { email, password: PASSWORD, caller };
}

export async function signedInStaff(url: string): Promise<Caller> {
  const staff = new Caller(url, url);
  await staff.must('POST', '/api/auth/sign-in/email', { email: DEMO.staff, password: DEMO.password });
  return staff;
}

/** A new member whom staff approved: billed at the venue, four pours a month. */
export async function newVenueMember(url: string): Promise<VenueGuest> {
  const guest = await newGuest(url);
  const staff = await signedInStaff(url);
  const application = await applied(guest.caller);
  const { customer_id } = await staff.must<{ customer_id: string }>(
    'POST',
    `/api/applications/${application}/approve`,
    { toast_reference_number: 'T-1' },
  );
  return {
    ...guest,
    customer_id,
    staff,
    async pour(quantity) {
      const { pour } = await staff.must<{ pour: { id: string } }>('POST', '/api/pours', {
        request_id: aRequestId(),
        customer_id,
        quantity,
        location: 'bar',
      });
      return pour.id;
    },
  };
}

/** A new applicant with the payment page open; answers its address too. */
export async function newPayingGuest(url: string): Promise<Guest & { checkout: string }> {
  const guest = await newGuest(url);
  const applicationId = await applied(guest.caller);
  const { url: checkout } = await guest.caller.must<{ url: string }>(
    'POST',
    '/api/functions/create-checkout',
    { tierName: 'select', applicationId },
  );
  return { ...guest, checkout };
}

/** A new member who pays by card. */
export async function newCardMember(url: string): Promise<Guest> {
  const guest = await newPayingGuest(url);
  await payAt(guest.checkout);
  await guest.caller.must('POST', '/api/functions/verify-subscription-status', {});
  return guest;
}
