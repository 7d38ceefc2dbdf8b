import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { readSignUpAddress } from '../../staff/sign-up/sign-up-address.ts';

export const Route = createFileRoute('/_staff/staff/members_/new')({
  beforeLoad: requirePermission('manage_members'),
  validateSearch: readSignUpAddress,
});
