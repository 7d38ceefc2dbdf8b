import { createLazyFileRoute } from '@tanstack/react-router';
import { QueryProvider } from '../api/query-provider.tsx';
import { RedeemPage } from '../member/gifts/redeem-page.tsx';
import { MemberNav } from '../member/member-nav.tsx';
import { GiftGreetingPage } from '../visitor/gift-greeting-page.tsx';

export const Route = createLazyFileRoute('/redeem')({ component: Redeem });

function Redeem() {
  if (!Route.useRouteContext().user) return <GiftGreetingPage />;
  return (
    <QueryProvider>
      <MemberNav />
      <div className="nav-page">
        <RedeemPage />
      </div>
    </QueryProvider>
  );
}
