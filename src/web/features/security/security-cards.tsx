import { site } from '../../site.ts';
import { LinkedCard } from './linked-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** How an account is kept safe; the same for members and staff. */
export function SecurityCards() {
  return (
    <>
      <TwoFactorCard />
      {site.providers.length > 0 && <LinkedCard />}
      <SessionsCard />
    </>
  );
}
