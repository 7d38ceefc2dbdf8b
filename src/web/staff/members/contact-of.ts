import type { ListedMember } from '../../../contract/staff/directory.ts';

/** The line beside a name: the email, or the tier for staff who may not see emails. */
export const contactOf = ({ former, email, tier_label }: ListedMember): string =>
  former ? 'Deleted account' : (email ?? tier_label);
