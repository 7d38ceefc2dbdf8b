/** Granted individually; work at the bar needs none. docs/rules/staff.md, "Staff and permissions". */
export const STAFF_PERMISSIONS = ['manage_members', 'manage_money', 'manage_staff', 'see_reports'] as const;
export type StaffPermission = (typeof STAFF_PERMISSIONS)[number];

/** Permissions to change members' accounts, money or the team. Granting one takes the password of the person who grants it. */
const POWERFUL_PERMISSIONS: readonly StaffPermission[] = ['manage_members', 'manage_money', 'manage_staff'];

export const isPowerful = (permission: StaffPermission): boolean => POWERFUL_PERMISSIONS.includes(permission);

/** Permissions that show members' emails and phone numbers in lists, and export the lists as files. */
export const CONTACT_PERMISSIONS = ['manage_members', 'see_reports'] as const satisfies StaffPermission[];
