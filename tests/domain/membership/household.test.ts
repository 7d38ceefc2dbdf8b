import { describe, expect, it } from 'vitest';
import {
  acceptObstacle,
  type HolderFacts,
  type InvitedFacts,
  invitationObstacle,
} from '../../../src/domain/membership/household.ts';

const HOLDER: HolderFacts = { access: true, people: 2, partners: 0 };
const INVITED: InvitedFacts = {
  is_holder: false,
  own_membership: false,
  shares: false,
  email_confirmed: true,
};

describe('inviting', () => {
  it.each<[Partial<HolderFacts>, ReturnType<typeof invitationObstacle>]>([
    [{}, null],
    [{ access: false }, 'no_access'],
    [{ people: 1 }, 'tier_for_one'],
    [{ partners: 1 }, 'full'],
    [{ people: 1, partners: 1 }, 'tier_for_one'],
  ])('%j: %s', (facts, obstacle) => {
    expect(invitationObstacle({ ...HOLDER, ...facts })).toBe(obstacle);
  });
});

describe('accepting', () => {
  it.each<[Partial<HolderFacts>, Partial<InvitedFacts>, ReturnType<typeof acceptObstacle>]>([
    [{}, {}, null],
    [{}, { is_holder: true, own_membership: true }, 'own_invitation'],
    [{}, { shares: true }, 'shares_already'],
    [{}, { own_membership: true }, 'own_membership'],
    [{}, { email_confirmed: false }, 'email_not_confirmed'],
    [{ access: false }, { own_membership: true }, 'no_access'],
    [{ partners: 1 }, {}, 'full'],
  ])('%j and %j: %s', (holder, invited, obstacle) => {
    expect(acceptObstacle({ ...HOLDER, ...holder }, { ...INVITED, ...invited })).toBe(obstacle);
  });
});
