import { useState, useSyncExternalStore } from 'react';
import type { Subscription } from '../../../contract/functions.ts';
import type { AvailablePours, Celebrated } from '../../../contract/members.ts';
import { dismissInstallHint, install, installHint, subscribeInstall } from '../../api/device/install.ts';
import { readLocal, writeLocal } from '../../api/local-storage.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { celebrationForMember } from '../../format/celebration-text.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { withTax } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { usePersonalEmails } from '../account/use-personal-emails.ts';
import { PauseNotice } from '../billing/pause-notice.tsx';
import { PaymentDueNotice } from '../billing/payment-due.tsx';
import { KeepMembershipButton } from '../billing/subscription-actions.tsx';
import { PendingTierNotice, YearFollowsNotice } from '../billing/tier-notices.tsx';
import { endOf, useSubscription } from '../billing/upcoming-change.ts';
import { VenuePauseNotice } from '../billing/venue-pause.tsx';
import type { OwnRecord } from '../use-own.ts';

export function PaymentDue({ pours }: { pours: AvailablePours | null }) {
  const subscription = useSubscription();
  return subscription && <PaymentDueNotice subscription={subscription} pours={pours} />;
}

/** A decision that the member can still undo: a pause, a cancellation, or another tier. Renders nothing without one. */
export function ChangeNotice({ ends, dues }: Pick<OwnRecord, 'ends' | 'dues'>) {
  const subscription = useSubscription();
  if (ends?.then_by_card) {
    return (
      <Notice
        tone="info"
        title={`Paid by card from ${dateOfInstant(ends.ends_at)}`}
        action={<KeepMembershipButton by="venue" />}
      >
        What you paid at the venue counts until then. Your card is charged that day.
      </Notice>
    );
  }
  if (ends?.by_member) {
    return (
      <Notice
        tone="warning"
        title={`Your membership ends on ${dateOfInstant(ends.ends_at)}`}
        action={<KeepMembershipButton />}
      >
        You’ll keep your pours until then.
      </Notice>
    );
  }
  if (dues?.pause) return <VenuePauseNotice dues={dues} />;
  if (!subscription) return null;
  if (subscription.pause) return <PauseNotice subscription={subscription} />;
  if (subscription.year_from) return <YearFollowsNotice subscription={subscription} />;
  const end = endOf(subscription);
  if (end === null) return <PendingTierNotice subscription={subscription} />;
  return (
    <Notice
      tone="warning"
      title={`Your membership ends on ${dateOfInstant(end)}`}
      action={<KeepMembershipButton />}
    >
      {chargesUntilEnd(subscription)}
    </Notice>
  );
}

function chargesUntilEnd({ next_charge, cancel_at_period_end, ...money }: Subscription): string {
  if (!next_charge) return 'You’ll keep your pours until then, and you won’t be charged again.';
  const charge = withTax(next_charge.amount, money);
  return cancel_at_period_end
    ? `You’ll keep your pours until then. That day, your card is charged ${charge} for changes to your membership, and then never again.`
    : `Until then it renews as before: ${charge} on ${dateOfInstant(next_charge.at)}.`;
}

export function DecisionNotice({ decision }: { decision: NonNullable<OwnRecord['decision']> }) {
  const tierLabel = useTierLabel();
  const date = dateOfInstant(decision.reviewed_at);
  if (decision.status === 'approved') {
    return (
      <Notice tone="positive" title="Your application was approved">
        You have been a {tierLabel(decision.tier)} member since {date}. Show your QR code when you come by.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title="Your application was not accepted">
      We reviewed it on {date}. If you think this is a mistake, <SupportLink>write to us</SupportLink>. You
      can also apply again below.
    </Notice>
  );
}

const KEY = 'cellar-door:celebrated';

/** A greeting on the day; a dismissed one does not return on this device. */
export function CelebrationCards({ userId, celebrations }: { userId: string; celebrations: Celebrated[] }) {
  const nameOf = ({ occasion }: Celebrated) => `${userId} ${occasion}`;
  const [dismissed, setDismissed] = useState(() => {
    const entry = readLocal(KEY);
    return Array.isArray(entry) ? entry : [];
  });
  // Stores only today's, so that the list never grows.
  const dismiss = (one: Celebrated) => {
    const next = celebrations.map(nameOf).filter((name) => name === nameOf(one) || dismissed.includes(name));
    writeLocal(KEY, next);
    setDismissed(next);
  };
  return celebrations
    .filter((one) => !dismissed.includes(nameOf(one)))
    .map((one) => {
      const { title, text } = celebrationForMember(one);
      return (
        <Notice key={one.occasion} tone="positive">
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <h2 className="font-semibold font-text text-base tracking-normal">{title}</h2>
              <p>{text}</p>
            </div>
            <IconButton
              className="-my-2.5 -mr-3 shrink-0"
              label="Dismiss"
              icon={<Icon shape="cross" />}
              onClick={() => dismiss(one)}
            />
          </div>
        </Notice>
      );
    });
}

export function InstallHint() {
  const way = useSyncExternalStore(subscribeInstall, installHint);
  if (!way) return null;
  return (
    <Notice
      title="Your card, one tap away"
      action={
        <div className="flex flex-wrap gap-3">
          {way === 'prompt' && (
            <Button variant="secondary" size="sm" onClick={() => void install()}>
              Add to Home Screen
            </Button>
          )}
          <Button variant="quiet" size="sm" onClick={dismissInstallHint}>
            {way === 'prompt' ? 'Not Now' : 'Got It'}
          </Button>
        </div>
      }
    >
      {way === 'prompt'
        ? 'Add this app to your home screen. It opens at your card, even offline.'
        : 'Tap Share, then Add to Home Screen. The app opens at your card, even offline.'}
    </Notice>
  );
}

/** Asks once whether staff may email the member personally. Both answers are stored, and changed in the account. */
export function PersonalEmailsQuestion() {
  const { wanted, busy, answer } = usePersonalEmails('dashboard');
  if (wanted !== null) return null;
  return (
    <Notice
      title="May we write to you now and then?"
      action={
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" size="sm" disabled={busy} onClick={() => void answer(true)}>
            Yes, Please
          </Button>
          <Button variant="quiet" size="sm" disabled={busy} onClick={() => void answer(false)}>
            No, Thanks
          </Button>
        </div>
      }
    >
      Someone at {site.club_name} would like to email you personally, for example if we haven’t seen you in a
      while. You can change this at any time in your account.
    </Notice>
  );
}
