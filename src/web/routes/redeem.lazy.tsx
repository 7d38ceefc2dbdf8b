import { createLazyFileRoute } from '@tanstack/react-router';
import { QueryProvider } from '../api/query-provider.tsx';
import { RedeemPage } from '../member/gifts/redeem-page.tsx';
import { MemberNav } from '../member/member-nav.tsx';

export const Route = createLazyFileRoute('/redeem')({ component: Redeem });

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
