import { createFileRoute } from '@tanstack/react-router';
import { RegisterScreen } from '../features/auth/register-screen.tsx';
import { readRedirect, sendHomeWhenSignedIn } from '../features/guard.ts';

export const Route = createFileRoute('/register')({
  validateSearch: readRedirect,
  beforeLoad: sendHomeWhenSignedIn,
  component: Register,
});

function Register() {
  return <RegisterScreen redirect={Route.useSearch().redirect} />;
}
