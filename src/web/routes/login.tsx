import { createFileRoute } from '@tanstack/react-router';
import { LoginScreen } from '../features/auth/login-screen.tsx';
import { readReturn } from '../features/auth/provider-return.ts';
import { readRedirect, sendHomeWhenSignedIn } from '../features/guard.ts';

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>): { redirect?: string; problem?: string } => ({
    ...readRedirect(search),
    ...readReturn(search),
  }),
  beforeLoad: sendHomeWhenSignedIn,
  component: Login,
});

function Login() {
  const { redirect, problem } = Route.useSearch();
  return <LoginScreen redirect={redirect} problem={problem} />;
}
