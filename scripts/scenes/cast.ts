import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../src/server/auth/demo-accounts.ts';
import { eq } from '../../src/server/db/orm.ts';
import { customers } from '../../src/server/db/schema.ts';
import type { RunningServer } from '../../src/server/main.ts';
import { applied, payAt, RATINGS } from '../../tests/support/fixtures/members.ts';
import { Caller } from '../../tests/support/harness/caller.ts';
import { hangPictures } from './drawn.ts';

export type Role =
  | 'visitor'
  | 'newcomer'
  | 'halfway'
  | 'unpaid'
  | 'fresh'
  | 'cardholder'
  | 'cancelled'
  | 'pausing'
  | 'lapsed'
  | 'member'
  | 'staff'
  | 'tablet';

/** The PIN of both demo staff. */
export const TABLET_PIN = '8042';

export interface Cast {
  /** Null for a visitor. */
  callers: Record<Role, Caller | null>;
  /** The text of the demo member's QR code. */
  cardCode: string;
}

export async function createCast({ url, services }: RunningServer): Promise<Cast> {
  const signedIn = async (email: string) => {
    const caller = new Caller(url, url);
    await caller.must('POST', '/api/auth/sign-in', { email, password: DEMO_PASSWORD });
    return caller;
  };
  const registered = async (first_name: string, last_name: string) => {
    const caller = new Caller(url, url);
    const email = `${first_name}@example.test`.toLowerCase();
    await caller.must('POST', '/api/auth/sign-up', {
      first_name,
      last_name,
      email,
      password: 'only for pictures',
    });
    await caller.remember();
    return caller;
  };
  const atCheckout = async (caller: Caller) => {
    const applicationId = await applied(caller, 'elite');
    return caller.must<{ url: string }>('POST', '/api/functions/create-checkout', {
      tierName: 'elite',
      applicationId,
    });
  };
  const byCard = async (first_name: string, last_name: string) => {
    const caller = await registered(first_name, last_name);
    await payAt((await atCheckout(caller)).url);
    await caller.must('POST', '/api/functions/verify-subscription-status', {});
    return caller;
  };

  const staff = await signedIn(DEMO_ACCOUNTS.staff);
  // Setting up a tablet ends the session, so the cast keeps only the tablet.
  const tablet = await signedIn(DEMO_ACCOUNTS.staff);
  const device = { name: 'Bar Left', idle_minutes: 5, password: DEMO_PASSWORD };
  await tablet.must('POST', '/api/bar-devices', device);
  for (const caller of [staff, await signedIn(DEMO_ACCOUNTS.bartender)]) {
    await caller.must('PUT', '/api/staff-pin', { pin: TABLET_PIN, password: DEMO_PASSWORD });
  }
  const member = await signedIn(DEMO_ACCOUNTS.member);
  await hangPictures({ member, staff });
  const newcomer = await registered('Nadia', 'Ferro');
  const halfway = await registered('Henri', 'Laurent');
  await halfway.must('PUT', '/api/applications/own', {
    preferences: RATINGS,
    selected_tier: null,
    current_step: 2,
    is_complete: false,
  });
  const unpaid = await registered('Ulla', 'Nyberg');
  await atCheckout(unpaid);
  const atVenue = async (first_name: string, last_name: string) => {
    const caller = await registered(first_name, last_name);
    const application = await applied(caller, 'household');
    await staff.must('POST', `/api/applications/${application}/approve`, { toast_reference_number: 'T-77' });
    return caller;
  };
  const fresh = await atVenue('Felix', 'Amador');
  const change = { email: 'felix@elsewhere.test', password: 'only for pictures' };
  await fresh.must('POST', '/api/auth/email-change', change);
  const cardholder = await byCard('Clara', 'Voss');
  await cardholder.must('POST', '/api/paper-cards', {});
  const cancelled = await byCard('Ciro', 'Bellini');
  await cancelled.must('POST', '/api/functions/cancel-subscription', {});
  const pausing = await byCard('Paula', 'Stern');
  await pausing.must('POST', '/api/billing/pause', { months: 2 });
  const lapsed = await atVenue('Lena', 'Hartmann');
  await services.db.update(customers).set({ status: 'inactive' }).where(eq(customers.user_id, lapsed.id));

  const { token } = await member.must<{ token: string }>('POST', '/api/functions/generate-qr-token', {});
  return {
    callers: {
      visitor: null,
      newcomer,
      halfway,
      unpaid,
      fresh,
      cardholder,
      cancelled,
      pausing,
      lapsed,
      member,
      staff,
      tablet,
    },
    cardCode: token,
  };
}
