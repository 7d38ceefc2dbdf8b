import type { ListedMember } from '../../../contract/staff/directory.ts';

/** What stands beside a name; staff to whom emails are not shown see the tier. */
export const contactOf = ({ former, email, tier_label }: ListedMember): string =>
  former ? 'Deleted account' : (email ?? tier_label);
