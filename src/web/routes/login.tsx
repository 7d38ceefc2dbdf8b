import { createFileRoute } from '@tanstack/react-router';
import { LoginScreen } from '../features/auth/login-screen.tsx';
import { readRedirect, sendHomeWhenSignedIn } from '../features/guard.ts';

export const Route = createFileRoute('/login')({
  validateSearch: readRedirect,
  beforeLoad: sendHomeWhenSignedIn,
  component: Login,
});

function Login() {
  return <LoginScreen redirect={Route.useSearch().redirect} />;
}
