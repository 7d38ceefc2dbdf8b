import { createFileRoute, useRouter } from '@tanstack/react-router';
import { sendHomeWhenSignedIn } from '../app/route-guards.ts';
import { readRedirect } from '../visitor/landing.ts';
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
  const router = useRouter();
  return (
    <LoginPage
      redirect={redirect}
      problem={problem}
      open={(href, options) => router.navigate({ href, ...options })}
    />
  );
}
