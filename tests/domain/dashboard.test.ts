import { expect, test } from 'vitest';
import { dashboardView } from '../../src/domain/dashboard.ts';

const active = { status: 'active' };
const inactive = { status: 'inactive' };
const started = { is_complete: false, selected_tier: null, stripe_session_id: null };
const noTier = { is_complete: true, selected_tier: null, stripe_session_id: 'cs_1' };
const answered = { is_complete: true, selected_tier: 'elite', stripe_session_id: null };
const paying = { is_complete: true, selected_tier: 'elite', stripe_session_id: 'cs_1' };

// docs/rules/membership.md, "Dashboard".
test.each([
  ['a new visitor', null, false, null, 'welcome'],
  ['an active member', active, true, null, 'member'],
  ['an active member with a stale application', active, true, paying, 'member'],
  ['a survey not finished', null, false, started, 'apply'],
  ['finished without a tier', null, false, noTier, 'apply'],
  ['finished, never sent to pay', null, false, answered, 'apply'],
  ['sent to pay', null, false, paying, 'complete_payment'],
  ['a former member', inactive, true, null, 'renew'],
  ['a former member who is paying again', inactive, true, paying, 'complete_payment'],
  ['a customer record that never had a membership', inactive, false, null, 'renew'],
  ['a past membership without a customer record', null, true, null, 'renew'],
])('%s', (_, customer, membership_ever, application, view) => {
  expect(dashboardView({ customer, membership_ever, application }, 'on')).toBe(view);
});

test.each([
  ['finished', null, false, answered, 'pay_at_venue'],
  ['a former member who chose again', inactive, true, answered, 'pay_at_venue'],
  ['a survey not finished', null, false, started, 'apply'],
  ['an active member', active, true, null, 'member'],
])('payments off: %s', (_, customer, membership_ever, application, view) => {
  expect(dashboardView({ customer, membership_ever, application }, 'off')).toBe(view);
});
