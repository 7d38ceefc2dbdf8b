import { useParams } from '@tanstack/react-router';
import ScanLine from 'lucide-react/icons/scan-line';
import type { ReactNode } from 'react';
import { memberPhotoUrl } from '../../api/pictures/picture-urls.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Portrait } from '../../ui/picture/portrait.tsx';
import { BackToDashboard, useDashboardName } from '../shell/back-links.tsx';
import { CustomerBody, CustomerContact } from './customer-body.tsx';
import { useCustomer } from './use-customer.ts';

export default function CustomerPage() {
  const { id } = useParams({ from: '/_staff/staff/customers/$id' });
  return <Customer id={id} back={<BackToDashboard />} />;
}

/** `id` may be a user id or a customer id. `back` is the page where the member was found. */
export function Customer({ id, back }: { id: string; back: ReactNode }) {
  const query = useCustomer(id);
  const dashboard = useDashboardName();
  const member = query.isUnknown ? undefined : query.data;
  const name = member && `${member.profile.first_name} ${member.profile.last_name}`;
  return (
    <PageShell
      title={name ?? 'Customer'}
      heading={
        member && (
          <span className="flex items-center gap-4">
            <Portrait
              src={memberPhotoUrl(member.customer.id, member.photo)}
              first_name={member.profile.first_name}
              last_name={member.profile.last_name}
              className="size-14 text-xl"
            />
            {name}
          </span>
        )
      }
      back={back}
      width={query.isUnknown ? 'reading' : 'wide'}
      actions={
        member && (
          <LinkButton to="/staff/search" variant="quiet" size="sm" icon={<ScanLine size={18} />}>
            Scan
          </LinkButton>
        )
      }
      lead={member && <CustomerContact member={member} />}
    >
      {query.isUnknown ? (
        <Card>
          <EmptyState
            picture={<GuestListPicture />}
            title="Customer not found"
            action={
              <LinkButton to="/staff/dashboard" variant="secondary">
                Back to {dashboard}
              </LinkButton>
            }
          />
        </Card>
      ) : (
        <Loaded query={query} failed="We couldn’t load this customer" card lines={8}>
          {(member) => <CustomerBody id={id} member={member} />}
        </Loaded>
      )}
    </PageShell>
  );
}
