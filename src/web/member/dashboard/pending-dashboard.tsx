import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Profile } from '../../../contract/members.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { MembershipCard } from '../../brand/membership-card.tsx';
import { PoursMeter } from '../../brand/pours-meter.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { focusFirst } from '../../ui/modal.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { useWakeLock } from '../../ui/use-wake-lock.ts';

const BY_CARD = {
  title: 'Complete Your Payment',
  description: 'Your application is saved. Your membership starts as soon as you pay.',
  starts: 'Your membership starts with your first payment.',
};

const AT_THE_VENUE = {
  title: 'Pay at the Venue',
  description: 'Your application is saved. Pay at the bar, and our staff will start your membership.',
  starts: 'Your membership starts when you pay at the bar.',
};

export function PendingDashboard({ profile, tier }: { profile: Profile; tier: string }) {
  const navigate = useNavigate();
  const tierLabel = useTierLabel();
  const atVenue = site.payments === 'off';
  const words = atVenue ? AT_THE_VENUE : BY_CARD;
  const [dialogOpen, setDialogOpen] = useState(true);
  useWakeLock(dialogOpen);
  const later = () => setDialogOpen(false);
  const toSurvey = () => void navigate({ to: '/apply' });

  return (
    <>
      {!dialogOpen && (
        <Notice
          tone={atVenue ? 'info' : 'warning'}
          title={words.starts}
          action={
            <div className="flex flex-wrap gap-2">
              {!atVenue && (
                <LinkButton to="/apply" size="sm">
                  Complete Payment
                </LinkButton>
              )}
              <LinkButton to="/qr-code" size="sm" variant={atVenue ? 'primary' : 'secondary'}>
                Show Application Code
              </LinkButton>
              {atVenue && (
                <LinkButton to="/apply" size="sm" variant="secondary">
                  Change My Choice
                </LinkButton>
              )}
            </div>
          }
        />
      )}
      <div className="grid gap-5 grayscale-70 sm:gap-6 md:grid-cols-2">
        <MembershipCard
          name={`${profile.first_name} ${profile.last_name}`}
          tier={tier}
          tierLabel={tierLabel(tier)}
          status="Not active yet"
          className="self-start opacity-80 shadow-none"
        />
        <Card
          title="Pours Remaining"
          className="border-dashed bg-transparent shadow-none"
          aside={<Badge tone="warning">Pending activation</Badge>}
        >
          <PoursMeter available={0} max={0} used={0} />
        </Card>
      </div>
      {dialogOpen && (
        <Dialog
          onClose={later}
          title={words.title}
          description={words.description}
          actions={
            <>
              <Button variant="secondary" onClick={atVenue ? toSurvey : later}>
                {atVenue ? 'Change My Choice' : 'Later'}
              </Button>
              <Button ref={focusFirst} onClick={atVenue ? later : toSurvey}>
                {atVenue ? 'Done' : 'Complete Payment'}
              </Button>
            </>
          }
        >
          <figure className="flex flex-col lying:flex-row-reverse items-center lying:justify-end gap-3 lying:gap-6">
            <figcaption className="text-balance text-center lying:text-left text-ink-muted text-sm">
              At the bar? Show this code to our staff to open your application.
            </figcaption>
            <QrCode
              text={profile.id}
              size={180}
              title="QR code of your application"
              className="short:w-37 lying:w-37"
            />
          </figure>
        </Dialog>
      )}
    </>
  );
}
