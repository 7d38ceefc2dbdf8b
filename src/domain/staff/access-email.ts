/** password: a link to choose the first one, which also confirms the email. confirmation: a link that confirms it. */
export const ACCESS_EMAILS = ['password', 'confirmation'] as const;
export type AccessEmail = (typeof ACCESS_EMAILS)[number];

/** Which of them a member needs; null for neither. `ways`: to sign in, counted. */
export function accessEmail(
  { ways, confirmed }: { ways: number; confirmed: boolean },
  asksToConfirm: boolean,
): AccessEmail | null {
  if (ways === 0) return 'password';
  return !confirmed && asksToConfirm ? 'confirmation' : null;
}

/** About money and the membership, written again from what is stored: the last receipt, and the welcome. */
export const MEMBERSHIP_EMAILS = ['receipt', 'welcome'] as const;
export type MembershipEmail = (typeof MEMBERSHIP_EMAILS)[number];
