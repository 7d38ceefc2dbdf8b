import { site } from '../api/site.ts';
import { LinkedAccountsCard } from './linked-accounts-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

interface SecurityCardsProps {
  /** For staff who must set up their second factor before anything else. */
  enrolling?: boolean;
}

/** How an account is protected; the same for members and staff. */
export function SecurityCards({ enrolling = false }: SecurityCardsProps) {
  return (
    <>
      <PasswordCard />
      <TwoFactorCard />
      {site.providers.length > 0 && !enrolling && <LinkedAccountsCard />}
      <PasskeysCard />
      <SessionsCard />
    </>
  );
}
