import { createFileRoute, redirect } from '@tanstack/react-router';
import { keepOpenedLink } from '../api/opened-link.ts';

export const Route = createFileRoute('/share')({
  beforeLoad: ({ location }) => {
    if (keepOpenedLink('/share', location.hash)) throw redirect({ to: '/share', replace: true });
  },
});
