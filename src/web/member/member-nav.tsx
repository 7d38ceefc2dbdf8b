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

/** Home, Card, Pours and Account; Card and Pours only for users who have them. */
export function MemberNav() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  return WITHOUT.includes(page) ? null : <Bar page={page} />;
}

function Bar({ page }: { page: string }) {
  const { me, query } = useOwn();
  const item = (to: NavItem['to'], label: string, icon: NavItem['icon']): NavItem => ({
    to,
    label,
    icon,
    current: page.startsWith(to),
  });
  // Members must reach their card even if the server did not respond.
  const { isError } = query;
  const hasCard = isError || me?.customer?.status === 'active' || Boolean(me?.application);
  const hasPours = isError || Boolean(me?.customer);
  const items = [
    item('/dashboard', 'Home', House),
    ...(hasCard ? [item('/qr-code', 'Card', QrCode)] : []),
    ...(hasPours ? [item('/pours', 'Pours', Wine)] : []),
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
