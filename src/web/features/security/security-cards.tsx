import { PasskeysCard } from './passkeys-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** How an account is kept safe; the same for members and staff. */
export function SecurityCards() {
  return (
    <>
      <TwoFactorCard />
      <PasskeysCard />
      <SessionsCard />
    </>
  );
}
