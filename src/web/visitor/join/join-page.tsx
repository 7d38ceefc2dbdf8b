import { Link, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { ConsentWords } from '../../../domain/consent.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { SupportLink } from '../../brand/support-link.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { linkPage } from '../links/link-page.tsx';
import { LinkUnread } from '../links/link-unread.tsx';
import { type Period, PeriodChoice, periodOf } from '../period-choice.tsx';
import { consentTo, TierOffer } from './tier-offer.tsx';
import { type Offer, useJoin } from './use-join.ts';

/** The page behind the code at the bar. Requires no sign-in. `token` is empty on return from the payment page. */
function JoinPage({ token }: { token: string }) {
  const { payment } = useSearch({ from: '/join' });
  const { state, words, leaving, pay, readAgain } = useJoin(token, payment);
  const isOffer = typeof state === 'object';
  const isPaid = isOffer && state.state === 'paid';
  const lead = isPaid
    ? 'Payment successful'
    : isOffer
      ? `Your membership, ${state.first_name}`
      : state === 'invalid' || state === 'expired'
        ? 'This code no longer works'
        : site.club_name;
  return (
    <AuthLayout
      title="Join"
      heading={isPaid ? `Welcome, ${state.first_name}` : site.club_name}
      lead={lead}
      footer={
        <Link to="/login" className="link">
          Sign in
        </Link>
      }
    >
      {state === 'reading' ? (
        payment === 'done' ? (
          <p role="status">We are confirming your payment...</p>
        ) : (
          <SkeletonLines lines={5} />
        )
      ) : state === 'invalid' || state === 'expired' ? (
        <p>
          {state === 'expired'
            ? 'It works for 15 minutes. Nothing was charged. '
            : 'It was opened on another phone, replaced by a new one, or is incomplete. '}
          Ask at the bar for a new code.
        </p>
      ) : state === 'failed' ? (
        <LinkUnread onRetry={readAgain} />
      ) : state === 'late' ? (
        <Late onCheck={readAgain} />
      ) : state.state === 'paid' ? (
        <Paid offer={state} />
      ) : (
        <OfferView offer={state} words={words} busy={leaving} isBack={payment === 'back'} onPay={pay} />
      )}
    </AuthLayout>
  );
}

export default linkPage(JoinPage);

interface OfferViewProps {
  offer: Offer;
  /** The server's texts beside the button, after it refused the text made here from the tier. */
  words: Partial<Record<Period, ConsentWords>>;
  busy: boolean;
  /** Returned from the payment page without paying. */
  isBack: boolean;
  onPay: (period: Period, consentVersion: string) => void;
}

function OfferView({ offer: { email, tier }, words, busy, isBack, onPay }: OfferViewProps) {
  const id = useId();
  const [chosenPeriod, setPeriod] = useState<Period>('month');
  const period = periodOf(tier, chosenPeriod);
  const consent = words[period] ?? consentTo(tier, period);
  return (
    <div className="flex flex-col gap-5">
      {isBack && (
        <p role="status">You didn’t finish the payment, and nothing was charged. You can continue here.</p>
      )}
      <div className="flex flex-col gap-1">
        <h2 className="wrap-anywhere text-2xl">{tier.display_name}</h2>
        <TierOffer tier={tier} />
      </div>
      <p className="wrap-anywhere text-sm">
        We’ll email your confirmation to <strong>{email}</strong>. If that’s not your address, tell our staff
        before you pay.
      </p>
      <PeriodChoice tier={tier} period={period} onChoose={setPeriod} />
      <ConsentText words={consent} id={id} />
      <Button
        size="lg"
        block
        busy={busy}
        aria-describedby={id}
        onClick={() => onPay(period, consent.version)}
      >
        Continue to Payment
      </Button>
    </div>
  );
}

function Paid({ offer: { email, tier } }: { offer: Offer }) {
  return (
    <div role="status" className="flex flex-col gap-4">
      <p className="font-title text-xl">Your {tier.display_name} membership is active.</p>
      <p className="wrap-anywhere">
        We emailed <strong>{email}</strong>. If you have no password yet, choose one with the link there; then
        your card and your pours are here.
      </p>
    </div>
  );
}

function Late({ onCheck }: { onCheck: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <p role="status">
        This is taking a little longer than usual. You don’t need to pay again: your membership starts
        automatically once the payment is confirmed, and we will email you.
      </p>
      <Button size="lg" block onClick={onCheck}>
        Check Again
      </Button>
      <p className="text-ink-muted text-sm">
        Still waiting? Email <SupportLink subject="My membership is not active yet" />
      </p>
    </div>
  );
}
