import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import { applied, cardMember, payAt, pour } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

describe('from a new account to a poured glass', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  it('joins, pays, shows the card, and staff pour two at the bar', async () => {
    const guest = await app.customer({ first_name: 'Grace' });
    const applicationId = await applied(guest, 'premier');
    const { url } = await guest.must<{ url: string }>('POST', '/api/functions/create-checkout', {
      tierName: 'premier',
      applicationId,
      userId: guest.id,
    });
    const back = await payAt(url);
    expect(back).toContain('/payment-success?session_id=cs_');

    // The signed webhook alone must be enough: nothing here asks the server to verify.
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
    const { customer } = await guest.must<{ customer: { id: string; tier: string; status: string } }>(
      'GET',
      '/api/customers/own',
    );
    expect(customer).toMatchObject({ tier: 'premier', status: 'active', pours_balance: 8 });

    const staff = await app.staff();
    const { token } = await guest.must<{ token: string }>('POST', '/api/functions/generate-qr-token', {});
    const verified = await staff.must('POST', '/api/functions/verify-qr-token', { token });
    expect(verified).toEqual({
      valid: true,
      customer: {
        id: customer.id,
        first_name: 'Grace',
        last_name: expect.any(String),
        tier: 'premier',
        pours_balance: 8,
      },
    });

    const recorded = await pour(staff, customer.id, { quantity: 2, location: 'bar', notes: 'by the window' });
    expect(recorded).toMatchObject({
      status: 201,
      body: {
        pours_balance: 6,
        repeated: false,
        pour: { quantity: 2, location: 'main_bar', status: 'redeemed' },
      },
    });

    expect(
      await guest.must('POST', '/api/functions/get-available-pours', { customer_id: customer.id }),
    ).toEqual({
      available_pours: 6,
      pours_used: 2,
      tier_max: 8,
    });
    const [mine] = await guest.must<Record<string, unknown>[]>('GET', '/api/pours/own');
    expect(mine).toMatchObject({ quantity: 2, location: 'main_bar', status: 'redeemed' });
    expect(mine).not.toHaveProperty('notes');
    const seen = await staff.must<MemberDetail>('GET', `/api/customers/${guest.id}`);
    expect(seen).toMatchObject({
      available_pours: 6,
      has_active_membership: true,
      customer: { id: customer.id, total_pours_lifetime: 2, pours_balance: 6 },
    });
    const [shown] = await staff.must<Record<string, unknown>[]>('GET', `/api/customers/${customer.id}/pours`);
    expect(shown).toMatchObject({
      notes: 'by the window',
      toast_reference_number: `POUR-${app.clock.now().getTime()}`,
    });
  });

  it('becomes a member by asking when no webhook ever comes', async () => {
    await fetch(`${app.sandbox.url}/_sandbox/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'drop' }),
    });
    const { caller } = await cardMember(app, 'elite');
    expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
      customer: { status: 'active', tier: 'elite', pours_balance: 14 },
      application: null,
      membership_ever: true,
    });
  });
});
