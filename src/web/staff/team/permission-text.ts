import type { StaffPermission } from '../../../domain/staff/staff-permission.ts';

export const PERMISSION_TEXT: Record<StaffPermission, { label: string; opens: string }> = {
  manage_members: { label: 'Manage members', opens: 'Change a member’s details' },
  manage_money: { label: 'Manage money', opens: 'Tiers, prices and refunds' },
  manage_staff: { label: 'Manage staff', opens: 'This page, and the audit' },
  see_reports: { label: 'See reports', opens: 'The venue’s figures' },
};
