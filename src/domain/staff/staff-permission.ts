/**
 * What staff may do beyond the bar, granted one by one. Scanning, pouring, looking up members and reviewing
 * applications need none. docs/rules/staff.md, "Staff and permissions".
 */
export const STAFF_PERMISSIONS = ['manage_members', 'manage_money', 'manage_staff', 'see_reports'] as const;
export type StaffPermission = (typeof STAFF_PERMISSIONS)[number];

/** One of these shows members' emails and phone numbers in lists, and gives the lists as files. */
export const CONTACT_PERMISSIONS = ['manage_members', 'see_reports'] as const satisfies StaffPermission[];
