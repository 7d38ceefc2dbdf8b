import { createFileRoute } from '@tanstack/react-router';
import { sendHomeWhenSignedIn } from '../app/route-guards.ts';
import { readRedirect } from '../visitor/landing.ts';
import { RegisterPage } from '../visitor/register-page.tsx';

export const Route = createFileRoute('/register')({
  validateSearch: readRedirect,
  beforeLoad: sendHomeWhenSignedIn,
  component: Register,
});

function Register() {
  return <RegisterPage redirect={Route.useSearch().redirect} />;
}
