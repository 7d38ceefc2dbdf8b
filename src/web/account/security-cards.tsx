import type { SessionUser } from '../api/session.ts';
import { site } from '../api/site.ts';
import { EmailCard } from './email/email-card.tsx';
import { LinkedAccountsCard } from './linked-accounts-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

export function SecurityCards({ user }: { user: SessionUser }) {
  // Staff who have to set up their second factor must do so first.
  const enrolling = user.must_enrol === true;
  return (
    <>
      {!enrolling && <EmailCard user={user} />}
      <PasswordCard />
      <TwoFactorCard />
      {site.providers.length > 0 && !enrolling && <LinkedAccountsCard />}
      <PasskeysCard />
    </>
  );
}
