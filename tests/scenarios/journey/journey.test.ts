import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import { applied, cardMember, payAt, pour } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

describe('from a new account to a first pour', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  it('a user joins, pays and shows the card, and staff record a pour at the bar', async () => {
    const member = await app.customer({ first_name: 'Grace' });
    const applicationId = await applied(member, 'premier');
    const { url } = await member.must<{ url: string }>('POST', '/api/functions/create-checkout', {
      tierName: 'premier',
      applicationId,
      userId: member.id,
    });
    const back = await payAt(url);
    expect(back).toContain('/payment-success?session_id=cs_');

    // The signed webhook alone must be enough: nothing here asks the server to check with Stripe.
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
    const { customer } = await member.must<{ customer: { id: string; tier: string; status: string } }>(
      'GET',
      '/api/customers/own',
    );
    expect(customer).toMatchObject({ tier: 'premier', status: 'active', pours_balance: 8 });

    const staff = await app.staff();
    const { token } = await member.must<{ token: string }>('POST', '/api/functions/generate-qr-token', {});
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
      await member.must('POST', '/api/functions/get-available-pours', { customer_id: customer.id }),
    ).toEqual({
      access: true,
      available_pours: 6,
      pours_used: 2,
      held_pours: 0,
      tier_max: 8,
      period_pours: 8,
      grants: [{ kind: 'period', occasion: null, pours: 6, until: expect.any(String) }],
      pours_when_paid: 0,
      carried_pours: 0,
      rolled_pours: 0,
      rolled_left: 0,
      resets_at: expect.any(Number),
    });
    const [mine] = await member.must<Record<string, unknown>[]>('GET', '/api/pours/own');
    expect(mine).toMatchObject({ quantity: 2, location: 'main_bar', status: 'redeemed' });
    expect(mine).not.toHaveProperty('notes');
    const seen = await staff.must<MemberDetail>('GET', `/api/customers/${member.id}`);
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

  it('a user becomes a member by asking the server, even if no webhook arrives', async () => {
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
