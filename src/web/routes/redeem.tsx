import { createFileRoute, redirect } from '@tanstack/react-router';
import { keepOpenedLink } from '../api/opened-link.ts';
import { admitVisitor } from '../app/route-guards.ts';

export const Route = createFileRoute('/redeem')({
  beforeLoad: ({ location }) => {
    if (!location.hash) return admitVisitor({ location });
    // The code must not be part of the URL to return to after sign-in.
    keepOpenedLink('/redeem', location.hash);
    throw redirect({ to: '/redeem', replace: true });
  },
});
