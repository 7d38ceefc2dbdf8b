import { createFileRoute } from '@tanstack/react-router';
import { readRedirect, sendHomeWhenSignedIn } from '../app/route-guards.ts';
import { LoginPage } from '../visitor/login-page.tsx';
import { readReturn } from '../visitor/oauth-return.ts';

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
  return <LoginPage redirect={redirect} problem={problem} />;
}
