import type { StaffPermission } from '../../../domain/staff/staff-permission.ts';

interface PermissionText {
  label: string;
  opens: string;
  /** What its holder can then do, in the dialog that grants it. */
  can: string;
}

export const PERMISSION_TEXT: Record<StaffPermission, PermissionText> = {
  manage_members: {
    label: 'Manage members',
    opens: 'Change a member’s details',
    can: 'add members, change their names, emails and notes, give and take back pours, pause and end memberships, and download everyone as a file',
  },
  manage_money: {
    label: 'Manage money',
    opens: 'Tiers, prices and refunds',
    can: 'change tiers and what members pay, refund payments, and set up Stripe',
  },
  manage_staff: {
    label: 'Manage staff',
    opens: 'This page, and the audit',
    can: 'invite and remove staff, give any permission to anyone, themselves included, change the club’s settings, and read the audit',
  },
  see_reports: {
    label: 'See reports',
    opens: 'The venue’s figures',
    can: 'see the venue’s figures, and members’ emails and phone numbers',
  },
};
