import { createFileRoute } from '@tanstack/react-router';
import { sendHomeWhenSignedIn } from '../app/route-guards.ts';
import { readRedirect } from '../visitor/landing.ts';
import { readReturn } from '../visitor/oauth-return.ts';

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>): { redirect?: string; problem?: string } => ({
    ...readRedirect(search),
    ...readReturn(search),
  }),
  beforeLoad: sendHomeWhenSignedIn,
});
