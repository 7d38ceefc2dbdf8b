import { site } from '../api/site.ts';
import { LinkedAccountsCard } from './linked-accounts-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

interface SecurityCardsProps {
  /** Staff who must set up their second factor, and can do nothing else before it. */
  enrolling?: boolean;
}

/** How an account is kept safe; the same for members and staff. */
export function SecurityCards({ enrolling = false }: SecurityCardsProps) {
  return (
    <>
      <TwoFactorCard />
      {site.providers.length > 0 && !enrolling && <LinkedAccountsCard />}
      <PasskeysCard />
      <SessionsCard />
    </>
  );
}
