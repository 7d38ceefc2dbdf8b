import { useTwoFactor } from '../../account/use-two-factor.ts';
import { RowLink, RowList } from '../../ui/row-link.tsx';
import { ACCOUNT_PAGES } from './account-pages.ts';

/** A row for each page of the account: on phones, in place of the desktop's rail. */
export function AccountRows() {
  const twoFactor = useTwoFactor();
  return (
    <RowList label="Account" className="lg:hidden">
      {ACCOUNT_PAGES.filter(({ to }) => to !== '/account').map(({ to, label, icon }) => (
        <RowLink
          key={to}
          to={to}
          icon={icon}
          title={label}
          aside={
            to === '/account/security' && twoFactor !== undefined
              ? `Two-step sign-in is ${twoFactor ? 'on' : 'off'}`
              : undefined
          }
        />
      ))}
    </RowList>
  );
}
