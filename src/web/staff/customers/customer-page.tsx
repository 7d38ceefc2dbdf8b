import ScanLine from 'lucide-react/icons/scan-line';
import type { ReactNode } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import { memberPhotoUrl } from '../../api/pictures/picture-urls.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Portrait } from '../../ui/picture/portrait.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BackToDashboard, useDashboardName } from '../shell/back-links.tsx';
import { CustomerBody, CustomerContact } from './customer-body.tsx';
import { useCustomer } from './use-customer.ts';

const toDashboard = <BackToDashboard />;

/** `id` may be a user id or a customer id. `back` is the page where the member was found. */
export function CustomerPage({ id, back = toDashboard }: { id: string; back?: ReactNode }) {
  const query = useCustomer(id);

  if (query.isUnknown) return <CustomerNotFound back={back} />;
  if (query.data) return <CustomerView id={id} member={query.data} back={back} />;
  if (!query.isError) return <CustomerSkeleton back={back} />;
  return (
    <PageShell title="Customer" back={back}>
      <Card>
        <ErrorState
          of={query.error}
          title="We couldn’t load this customer"
          onRetry={() => query.refetch()}
          retrying={query.isFetching}
        />
      </Card>
    </PageShell>
  );
}

function CustomerView({ id, member, back }: { id: string; member: MemberDetail; back: ReactNode }) {
  const { first_name, last_name } = member.profile;
  return (
    <PageShell
      title={`${first_name} ${last_name}`}
      heading={
        <span className="flex items-center gap-4">
          <Portrait
            src={memberPhotoUrl(member.customer.id, member.photo)}
            first_name={first_name}
            last_name={last_name}
            className="size-14 text-xl"
          />
          {first_name} {last_name}
        </span>
      }
      back={back}
      width="wide"
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
      lead={<CustomerContact member={member} />}
    >
      <CustomerBody id={id} member={member} />
    </PageShell>
  );
}

function CustomerNotFound({ back }: { back: ReactNode }) {
  return (
    <PageShell title="Customer" back={back}>
      <Card>
        <EmptyState
          picture={<GuestListPicture />}
          title="Customer not found"
          action={
            <LinkButton to="/staff/dashboard" variant="secondary">
              Back to {useDashboardName()}
            </LinkButton>
          }
        />
      </Card>
    </PageShell>
  );
}

/** The customer page while loading, with the same parts in the same places. */
function CustomerSkeleton({ back }: { back: ReactNode }) {
  return (
    <PageShell
      title="Customer"
      heading={<Line className="h-10 w-56" />}
      lead={<Line className="h-6 w-64" />}
      back={back}
      width="wide"
    >
      <div role="status" className="grid gap-5 lg:grid-cols-2">
        <span className="sr-only">Loading</span>
        <Skeleton className="h-20" />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
          <Skeleton className="col-span-2 h-28 sm:col-span-1" />
        </div>
        <Skeleton className="h-32" />
        <Skeleton className="h-56" />
      </div>
    </PageShell>
  );
}

/** A <span>, because a <div> is not allowed inside a heading or paragraph. */
function Line({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block max-w-full animate-breathe rounded-md bg-surface-sunken', className)}
    />
  );
}
