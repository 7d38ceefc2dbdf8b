import { useQuery } from '@tanstack/react-query';
import { ScanLine, Wine } from 'lucide-react';
import { useEffect } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import { isUuid } from '../../../domain/card.ts';
import { orpc, refusalOf } from '../../api/client.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { monthOfDay } from '../../format/dates.ts';
import { noAccessReason, poursReturnText } from '../../format/standing-labels.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { queueStore } from '../offline-queue/queue-store.ts';
import { CustomerProfileCard } from './customer-profile-card.tsx';
import { CustomerSkeleton } from './customer-skeleton.tsx';
import { MembershipStatusCard } from './membership-status-card.tsx';
import { PourHistoryCard } from './pour-history-card.tsx';

const back = <BackLink to="/staff/dashboard">Back to Dashboard</BackLink>;

/** `id` may be a user id or a customer id. */
export function CustomerPage({ id }: { id: string }) {
  const isValidId = isUuid(id);
  const query = useQuery({ ...orpc.members.get.queryOptions({ input: { id } }), enabled: isValidId });
  const { data, dataUpdatedAt } = query;
  useEffect(() => {
    if (!data || data.former) return;
    const { customer, profile, available_pours } = data;
    const seen = { first_name: profile.first_name, last_name: profile.last_name, tier: customer.tier };
    queueStore.noteBalance(customer.id, available_pours, dataUpdatedAt, seen);
  }, [data, dataUpdatedAt]);

  if (!isValidId || refusalOf(query.error, 'NOT_FOUND')) return <CustomerNotFound />;
  if (query.data) return <CustomerView id={id} member={query.data} />;
  if (!query.isError) return <CustomerSkeleton back={back} />;
  return (
    <PageShell title="Customer" back={back}>
      <Card>
        <ErrorState
          of={query.error}
          title="This customer could not be loaded"
          onRetry={() => query.refetch()}
          retrying={query.isFetching}
        />
      </Card>
    </PageShell>
  );
}

function CustomerView({ id, member }: { id: string; member: MemberDetail }) {
  const { customer, profile, former, available_pours } = member;
  const { first_name, last_name } = profile;
  const name = `${first_name} ${last_name}`;
  return (
    <PageShell
      title={name}
      back={back}
      actions={
        <LinkButton
          to="/staff/search"
          variant="quiet"
          size="sm"
          icon={<ScanLine size={18} aria-hidden="true" />}
        >
          Scan
        </LinkButton>
      }
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <TierBadge tier={customer.tier} />
          {former ? (
            'This account was deleted'
          ) : (
            <a href={`mailto:${profile.email}`} className="link">
              {profile.email}
            </a>
          )}
          {profile.phone && (
            <a href={`tel:${profile.phone}`} className="link">
              {profile.phone}
            </a>
          )}
        </span>
      }
    >
      {available_pours < 1 && !former && (
        <Notice
          tone="info"
          title={noAccessReason(member, new Date()) ? 'No pours' : 'No pours left in this billing period'}
        >
          {poursReturnText({ ...member, ends_at: null }, new Date())}
        </Notice>
      )}
      {available_pours > 0 && (
        <LinkButton
          to="/staff/customers/$id/add-pour"
          params={{ id }}
          state={{
            customer: {
              id: customer.id,
              first_name,
              last_name,
              tier: customer.tier,
              pours_balance: available_pours,
            },
          }}
          size="xl"
          block
          icon={<Wine size={28} aria-hidden="true" />}
        >
          Record Pour
        </LinkButton>
      )}
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <StatTile label="Available Pours" value={available_pours} />
        <StatTile label="Lifetime Pours" value={customer.total_pours_lifetime} />
        <StatTile
          label="Member Since"
          value={<span className="whitespace-nowrap text-lg">{monthOfDay(customer.member_since)}</span>}
          className="col-span-2 sm:col-span-1"
        />
      </div>
      <MembershipStatusCard member={member} />
      {member.has_preferences && <CustomerProfileCard customerId={customer.id} />}
      <PourHistoryCard customerId={customer.id} />
    </PageShell>
  );
}

function CustomerNotFound() {
  return (
    <PageShell title="Customer" back={back}>
      <Card>
        <EmptyState
          picture={<GuestListPicture />}
          title="Customer not found"
          action={
            <LinkButton to="/staff/dashboard" variant="secondary">
              Back to Dashboard
            </LinkButton>
          }
        />
      </Card>
    </PageShell>
  );
}
