import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Profile } from '../../../contract/members.ts';
import { MembershipCard } from '../../brand/membership-card.tsx';
import { PoursMeter } from '../../brand/pours-meter.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

interface PendingDashboardProps {
  profile: Profile;
  tier: string;
}

/** Applied, but not paid: what it will look like, and the way to get there. */
export function PendingDashboard({ profile, tier }: PendingDashboardProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(true);
  const pay = useRef<HTMLButtonElement>(null);
  const later = () => setAsking(false);

  // The dialog alone would put the focus on its first button, the cross.
  useEffect(() => pay.current?.focus(), []);

  return (
    <>
      {!asking && (
        <Notice
          tone="warning"
          title="Your membership is waiting for its first payment."
          action={
            <div className="flex flex-wrap gap-2">
              <LinkButton to="/apply" size="sm">
                Complete Payment
              </LinkButton>
              <LinkButton to="/qr-code" size="sm" variant="secondary">
                Show Application Code
              </LinkButton>
            </div>
          }
        />
      )}
      <div className="grid items-start gap-5 grayscale-70 sm:gap-6 md:grid-cols-2">
        <MembershipCard
          name={`${profile.first_name} ${profile.last_name}`}
          tier={tier}
          status="Not active yet"
          className="opacity-80 shadow-none"
        />
        <Card
          title="Pours Remaining"
          className="border-dashed bg-transparent shadow-none"
          aside={<Badge tone="warning">Pending activation</Badge>}
        >
          <PoursMeter available={0} max={0} used={0} />
        </Card>
      </div>
      <Dialog
        open={asking}
        onClose={later}
        title="Complete Your Payment"
        description="Your application is saved. One payment, and the cellar door opens."
        actions={
          <>
            <Button variant="secondary" onClick={later}>
              Later
            </Button>
            <Button ref={pay} onClick={() => void navigate({ to: '/apply' })}>
              Complete Payment
            </Button>
          </>
        }
      >
        <figure className="flex flex-col items-center gap-3 pt-1">
          <QrCode text={profile.id} size={180} title="Code of your application" />
          <figcaption className="text-center text-ink-muted text-sm">
            Are you at the bar? Our staff find your application with this code.
          </figcaption>
        </figure>
      </Dialog>
    </>
  );
}
