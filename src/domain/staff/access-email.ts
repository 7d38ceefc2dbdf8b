/** password: to choose the first password, which also confirms the email. confirmation: confirms the email. */
export const ACCESS_EMAILS = ['password', 'confirmation'] as const;
export type AccessEmail = (typeof ACCESS_EMAILS)[number];

/** The email that a member needs; null if none. `ways`: the number of ways to sign in. */
export function accessEmail(
  { ways, confirmed }: { ways: number; confirmed: boolean },
  asksToConfirm: boolean,
): AccessEmail | null {
  if (ways === 0) return 'password';
  return !confirmed && asksToConfirm ? 'confirmation' : null;
}

/** Emails about the membership, rebuilt from stored data: the last receipt, and the welcome. */
export const MEMBERSHIP_EMAILS = ['receipt', 'welcome'] as const;
export type MembershipEmail = (typeof MEMBERSHIP_EMAILS)[number];
