import { createFileRoute } from '@tanstack/react-router';
import { readRedirect } from '../../visitor/landing.ts';
import { readReturn } from '../../visitor/oauth-return.ts';

export const Route = createFileRoute('/_staff/staff/account')({
  validateSearch: (
    search: Record<string, unknown>,
  ): ReturnType<typeof readReturn> & ReturnType<typeof readRedirect> => ({
    ...readReturn(search),
    ...readRedirect(search),
  }),
});
