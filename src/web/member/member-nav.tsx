import { useMatches } from '@tanstack/react-router';
import House from 'lucide-react/icons/house';
import QrCode from 'lucide-react/icons/qr-code';
import UserRound from 'lucide-react/icons/user-round';
import Wine from 'lucide-react/icons/wine';
import { NavBrand } from '../brand/nav-brand.tsx';
import { NavBar, type NavItem } from '../ui/nav-bar.tsx';
import { useOwn } from './use-own.ts';

/** Pages without navigation: the survey, and a payment that is being activated. */
const WITHOUT = ['/apply', '/payment-success'];

/** The tab of a page: its own, if it has one. Sharing, gifts and the account's other pages belong to Account. */
function tabOf(page: string): NavItem['to'] {
  if (page.startsWith('/dashboard')) return '/dashboard';
  if (page.startsWith('/qr-code')) return '/qr-code';
  return ['/wines', '/pours', '/account/taste'].some((it) => page.startsWith(it)) ? '/wines' : '/account';
}

/** Home, Card, Wines and Account; Card only for users who have one. */
export function MemberNav() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  return WITHOUT.includes(page) ? null : <Bar page={page} />;
}

function Bar({ page }: { page: string }) {
  const { me, query } = useOwn();
  const tab = tabOf(page);
  const item = (to: NavItem['to'], label: string, icon: NavItem['icon']): NavItem => ({
    to,
    label,
    icon,
    current: to === tab,
  });
  // Members must reach their card even if the server did not respond.
  const { isError } = query;
  const hasCard =
    isError || me?.customer?.status === 'active' || Boolean(me?.application) || tab === '/qr-code';
  const items = [
    item('/dashboard', 'Home', House),
    ...(hasCard ? [item('/qr-code', 'Card', QrCode)] : []),
    item('/wines', 'Wines', Wine),
    item('/account', 'Account', UserRound),
  ];
  return (
    <NavBar
      items={me || isError ? items : null}
      brand={<NavBrand />}
      // The code is as large as the window.
      shown={page === '/qr-code' ? 'upright' : 'everywhere'}
    />
  );
}
