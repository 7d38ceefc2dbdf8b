/**
 * What staff may do beyond the bar, each given to a person by itself. Scanning, pouring, looking members up and reviewing
 * applications needs none. docs/rules.md, "Staff and permissions".
 */
export const STAFF_PERMISSIONS = ['manage_members', 'manage_money', 'manage_staff', 'see_reports'] as const;
export type StaffPermission = (typeof STAFF_PERMISSIONS)[number];
