/** password: a link to choose the first one, which also confirms the email. confirmation: a link that confirms it. */
export const ACCESS_LETTERS = ['password', 'confirmation'] as const;
export type AccessLetter = (typeof ACCESS_LETTERS)[number];

/** Which of them a member needs; null for neither. `ways`: to sign in, counted. */
export function accessLetter(
  { ways, confirmed }: { ways: number; confirmed: boolean },
  asksToConfirm: boolean,
): AccessLetter | null {
  if (ways === 0) return 'password';
  return !confirmed && asksToConfirm ? 'confirmation' : null;
}

/** About money and the membership, written again from what is stored: the last receipt, and the welcome. */
export const MEMBERSHIP_LETTERS = ['receipt', 'welcome'] as const;
export type MembershipLetter = (typeof MEMBERSHIP_LETTERS)[number];
