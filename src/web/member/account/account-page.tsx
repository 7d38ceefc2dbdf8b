import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { useTwoFactor } from '../../account/use-two-factor.ts';
import { orpc } from '../../api/client.ts';
import type { SessionUser } from '../../api/session.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { dateOfDay } from '../../format/dates.ts';
import { Card, CardGroup } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadError } from '../../ui/loaded.tsx';
import { RowLink, RowList } from '../../ui/row-link.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { BillingCard } from '../billing/billing-card.tsx';
import { useUpcomingChange } from '../billing/upcoming-change.ts';
import { ACCOUNT_PAGES, AccountShell } from './account-shell.tsx';
import { ProfileCard } from './profile-card.tsx';

export function AccountPage({ user }: { user: SessionUser }) {
  const query = useQuery(orpc.members.getOwn.queryOptions());
  const me = query.data;
  const tierLabel = useTierLabel();
  const change = useUpcomingChange(me?.household, me?.ends);
  const partnerOf = me?.household?.role === 'partner' ? me.household.first_name : null;
  return (
    <AccountShell title="Account Settings">
      {me ? (
        <>
          <CardGroup>
            <ProfileCard profile={me.profile} user={user} />
            <Card title="Membership">
              {me.customer ? (
                <DescriptionList
                  dense
                  items={[
                    { term: 'Tier', detail: tierLabel(me.customer.tier) },
                    { term: 'Member Since', detail: dateOfDay(me.customer.member_since) },
                    ...(partnerOf
                      ? [{ term: 'Shared Membership', detail: <SharedBy name={partnerOf} /> }]
                      : []),
                    // The end of a subscription is part of its billing, below.
                    ...(change && (partnerOf || me.ends)
                      ? [
                          me.ends?.is_gift
                            ? { term: 'Gift', detail: `Through ${dateOfDay(me.ends.last_day)}` }
                            : { term: 'Coming Up', detail: change },
                        ]
                      : []),
                  ]}
                />
              ) : (
                <div className="flex flex-wrap items-center justify-between gap-4">
                  <p className="text-ink-muted">You are not a member yet.</p>
                  <LinkButton to="/apply" variant="secondary">
                    Choose a Membership
                  </LinkButton>
                </div>
              )}
            </Card>
            {me.customer && !partnerOf && (
              <BillingCard active={me.customer.status === 'active'} ends={me.ends} />
            )}
          </CardGroup>
          <AccountRows />
        </>
      ) : query.isError ? (
        <LoadError query={query} title="We couldn’t load your account" />
      ) : (
        <>
          <Card title="Profile">
            <SkeletonLines lines={3} />
          </Card>
          <Card title="Membership">
            <SkeletonLines lines={2} />
          </Card>
        </>
      )}
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-ink-muted text-sm">
          Questions? Write to <SupportLink />
        </p>
        <SignOutButton variant="secondary" />
      </footer>
    </AccountShell>
  );
}

/** A partner pays nothing, and cannot change the membership, only leave it. */
function SharedBy({ name }: { name: string }) {
  return (
    <>
      You share {name}’s membership.{' '}
      <Link to="/household" className="link">
        Household
      </Link>
    </>
  );
}

/** A row for each page of the account: on phones, in place of the desktop's rail. */
function AccountRows() {
  const twoFactor = useTwoFactor();
  return (
    <RowList label="Account" className="lg:hidden">
      {ACCOUNT_PAGES.filter(({ to }) => to !== '/account').map(({ to, label, icon }) => (
        <RowLink
          key={to}
          to={to}
          icon={icon}
          title={label}
          aside={
            to === '/account/security' && twoFactor !== undefined
              ? `Two-step sign-in is ${twoFactor ? 'on' : 'off'}`
              : undefined
          }
        />
      ))}
    </RowList>
  );
}
