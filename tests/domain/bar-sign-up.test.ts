import { describe, expect, it } from 'vitest';
import { knownAs, type SignUpFacts, signUpState } from '../../src/domain/staff/bar-sign-up.ts';

describe('who someone is, when they sign up at the bar', () => {
  it.each([
    ['staff', 'staff', null, false, 'staff'],
    ['staff who were members', 'staff', 'active', true, 'staff'],
    ['a member', 'customer', 'active', false, 'member'],
    ['a former member', 'customer', 'inactive', false, 'former'],
    ['a former member who applies again', 'customer', 'inactive', true, 'applicant'],
    ['an applicant', 'customer', null, true, 'applicant'],
    ['someone with an account', 'customer', null, false, 'account'],
  ] as const)('%s', (_, role, customer, applies, known) => {
    expect(knownAs({ role, customer, applies })).toBe(known);
  });
});

describe('the state of a sign-up', () => {
  const now = new Date('2026-11-22T18:00:00Z');
  const past = new Date('2026-11-22T17:59:00Z');
  const fresh = { expires_at: new Date('2026-11-22T18:00:01Z'), opened_at: null, continued_at: null };
  const state = (link: Partial<SignUpFacts['link']>, more: Partial<SignUpFacts> = {}) =>
    signUpState({ application: 'pending', isPageOpen: false, ...more, link: { ...fresh, ...link } }, now);

  it('waits until a phone opens the code, and ends with its time', () => {
    expect(state({})).toBe('waiting');
    expect(state({ opened_at: past })).toBe('opened');
    expect(state({ expires_at: now })).toBe('expired');
    expect(state({ opened_at: past, expires_at: now })).toBe('expired');
  });

  it('is being paid as long as a payment page is open, however old the code', () => {
    const gone = { opened_at: past, continued_at: past, expires_at: past };
    expect(state(gone, { isPageOpen: true })).toBe('paying');
    expect(state(gone)).toBe('left');
  });

  it('is decided by the outcome of the application, whatever happened to the code', () => {
    expect(state({ expires_at: past }, { application: 'approved' })).toBe('member');
    expect(state({ continued_at: past }, { application: 'rejected', isPageOpen: true })).toBe('rejected');
  });
});
