import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DEFAULT_TIER } from '../../../domain/tiers.ts';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LockedDoorPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadError } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { WhatEnded } from '../dashboard/join-cards.tsx';
import { OwnBenefits } from '../own-benefits.tsx';
import { type OwnRecord, useOwn } from '../use-own.ts';
import { CardFace } from './card-face.tsx';
import { MemberCard } from './member-card.tsx';
import type { PaperCode } from './use-paper-card.ts';

const unchanging = (token: string): PaperCode => ({
  token,
  available: true,
  busy: false,
  prepare: async () => token,
  replace: async () => undefined,
});

const MEMBER_TITLE = 'Your Digital Membership Card';

export default function QrCodePage() {
  const { me, query } = useOwn();
  const tierLabel = useTierLabel();

  if (!me) {
    return (
      <Page title={MEMBER_TITLE} beside={!query.isError}>
        {query.isError ? <LoadError query={query} title="We couldn’t load your card" /> : <CardSkeleton />}
      </Page>
    );
  }
  const { profile, customer, application } = me;
  if (customer?.status === 'active') {
    return (
      <Page title={MEMBER_TITLE} beside={me.pours?.access}>
        {me.pours?.access ? (
          <MemberCard
            profile={profile}
            customer={customer}
            household={me.household}
            dues={me.dues}
            ends={me.ends}
          />
        ) : (
          <NoAccess household={me.household} dues={me.dues} />
        )}
        <OwnBenefits benefits={me.benefits} />
      </Page>
    );
  }
  if (application) {
    return (
      <Page title="Your Application QR Code" beside>
        <CardFace
          firstName={profile.first_name}
          lastName={profile.last_name}
          tier={application.selected_tier ?? DEFAULT_TIER}
          tierLabel={tierLabel(application.selected_tier ?? DEFAULT_TIER)}
          status="Application Pending"
          text={profile.id}
          paper={unchanging(profile.id)}
          codeTitle="QR code of your application"
          note={
            <p className="print-hidden text-center text-ink-muted text-sm">
              Show this code to our staff to open your application.
            </p>
          }
        />
      </Page>
    );
  }
  if (customer) {
    return (
      <Page title="No Membership Found">
        <EmptyState
          picture={<LockedDoorPicture />}
          title="Your card does not work any more"
          text={<WhatEnded me={me} />}
          action={<LinkButton to="/apply">Renew Membership</LinkButton>}
        />
      </Page>
    );
  }
  return (
    <Page title="No Membership Found">
      <EmptyState
        picture={<LockedDoorPicture />}
        title="You don’t have a card yet"
        text="Tell us about your taste and choose a membership to get one."
        action={<LinkButton to="/apply">Apply for Membership</LinkButton>}
      />
    </Page>
  );
}

function CardSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      <Skeleton className="-mx-2.5 h-130 rounded-xl sm:mx-0" />
    </div>
  );
}

/** For a member whose card does not work now: the membership is paused or has just ended. */
function NoAccess({ household, dues }: Pick<OwnRecord, 'household' | 'dues'>) {
  const isPartner = household?.role === 'partner';
  const details = useQuery(orpc.functions.getSubscriptionDetails.queryOptions({ input: {} }));
  if (!isPartner && details.isPending) return <CardSkeleton />;
  const pause = isPartner ? household.pause : (details.data?.subscription?.pause ?? dues?.pause);
  if (!pause?.begun) {
    return (
      <EmptyState
        picture={<LockedDoorPicture />}
        title="Your card does not work right now"
        text="Your dashboard shows where your membership stands."
        action={<LinkButton to="/dashboard">Open My Dashboard</LinkButton>}
      />
    );
  }
  const back =
    pause.until === null
      ? 'Your card works again when the pause is over.'
      : `Your card works again on ${dateOfInstant(pause.until)}.`;
  return (
    <EmptyState
      picture={<LockedDoorPicture />}
      title={isPartner ? `${household.first_name}’s membership is paused` : 'Your membership is paused'}
      text={
        isPartner || pause.until === null ? back : `${back} You can come back earlier on your account page.`
      }
      action={!isPartner && <LinkButton to="/account">Open My Account</LinkButton>}
    />
  );
}

function Page({ title, beside, children }: { title: string; beside?: boolean; children: ReactNode }) {
  return (
    <PageShell
      width="narrow"
      centered
      beside={beside}
      title={title}
      back={<BackLink to="/dashboard">Back to Dashboard</BackLink>}
      actions={
        // The text ends at the card's edge, and stays beside the link on small phones. Beside a card there is no room.
        <div className={classNames('-mr-3', beside && 'lying:hidden')}>
          <SignOutButton size="sm" />
        </div>
      }
    >
      {children}
    </PageShell>
  );
}
