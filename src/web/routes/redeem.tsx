import { createFileRoute, redirect } from '@tanstack/react-router';
import { keepOpenedLink } from '../api/opened-link.ts';
import { QueryProvider } from '../api/query-provider.tsx';
import { requireRole } from '../app/route-guards.ts';
import { RedeemPage } from '../member/gifts/redeem-page.tsx';
import { MemberNav } from '../member/member-nav.tsx';

export const Route = createFileRoute('/redeem')({
  beforeLoad: ({ location }) => {
    if (!location.hash) return requireRole('customer')({ location });
    // The code must not be part of the URL to return to after sign-in.
    keepOpenedLink('/redeem', location.hash);
    throw redirect({ to: '/redeem', replace: true });
  },
  component: Redeem,
});

function Redeem() {
  return (
    <QueryProvider>
      <MemberNav />
      <div className="nav-page">
        <RedeemPage />
      </div>
    </QueryProvider>
  );
}
