/**
 * Whether a membership may be given to an account as it is: nobody can sign in to it, or the venue has it as a member's, now
 * or once. Anyone can sign up with any email, and its owner may have confirmed what a stranger made, so a confirmed email
 * alone proves nothing. What is on record: server/membership/on-record.ts.
 */
export const isProven = ({ has_access, on_record }: { has_access: boolean; on_record: boolean }): boolean =>
  on_record || !has_access;
