import { readOpenedLink } from '../api/opened-link.ts';
import { site } from '../api/site.ts';
import { AccountButtons } from './account-buttons.tsx';
import { AuthLayout } from './auth-layout.tsx';

/** /redeem before signing in: with the code of a card or an email, or typed without one. */
export function GiftGreeting() {
  const hasCode = readOpenedLink('/redeem') !== null;
  return (
    <AuthLayout
      title={hasCode ? 'A Gift for You' : 'Redeem a Gift'}
      lead={`A membership of ${site.club_name}`}
      footer="The code of a gift never expires."
    >
      <div className="flex flex-col gap-5">
        <p>
          {hasCode
            ? 'Someone gave you a membership. It costs you nothing, and you don’t need a payment card. To see it and start, you need an account of your own.'
            : 'The code of your gift has 20 letters and digits. To enter it, you need an account of your own, but no payment card.'}
        </p>
        <AccountButtons redirect="/redeem" />
      </div>
    </AuthLayout>
  );
}
