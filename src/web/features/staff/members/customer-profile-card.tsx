import type { MemberDetail } from '../../../../contract/members.ts';

interface CustomerProfileCardProps {
  member: MemberDetail;
}

/** The card of the generated summary; drawn once there is a call that brings one. */
export function CustomerProfileCard(_props: CustomerProfileCardProps) {
  return null;
}
