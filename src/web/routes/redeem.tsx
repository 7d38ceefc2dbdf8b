import { createFileRoute } from '@tanstack/react-router';
import { requireRole } from '../app/route-guards.ts';
import { keepGiftCode } from '../member/gifts/kept-code.ts';
import { RedeemPage } from '../member/gifts/redeem-page.tsx';

export const Route = createFileRoute('/redeem')({
  beforeLoad: ({ location }) => {
    keepGiftCode(location.hash);
    // Without the code, which must not go with the address of the way back.
    return requireRole('customer')({ location: { href: '/redeem', pathname: '/redeem' } });
  },
  component: RedeemPage,
});
