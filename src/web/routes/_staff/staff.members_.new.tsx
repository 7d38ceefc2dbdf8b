import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { readSignUpAddress } from '../../staff/sign-up/sign-up-address.ts';
import { SignUpPage } from '../../staff/sign-up/sign-up-page.tsx';

export const Route = createFileRoute('/_staff/staff/members_/new')({
  beforeLoad: requirePermission('manage_members'),
  validateSearch: readSignUpAddress,
  component: SignUp,
});

function SignUp() {
  const address = Route.useSearch();
  return <SignUpPage key={address.person} address={address} />;
}
