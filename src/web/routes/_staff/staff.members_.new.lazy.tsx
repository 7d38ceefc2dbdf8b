import { createLazyFileRoute } from '@tanstack/react-router';
import { SignUpPage } from '../../staff/sign-up/sign-up-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/members_/new')({ component: SignUp });

function SignUp() {
  const address = Route.useSearch();
  return <SignUpPage key={address.person} address={address} />;
}
