import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { BackLink } from '../../ui/back-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useOfficeWindow } from '../../ui/use-media.ts';
import { CustomerBody, CustomerContact } from '../customers/customer-body.tsx';
import { Customer } from '../customers/customer-page.tsx';
import { useCustomer } from '../customers/use-customer.ts';
import { rowLinkId } from './member-table.tsx';

export default function MemberPanel() {
  const { id } = useParams({ from: '/_staff/staff/members/$id' });
  return useOfficeWindow() ? (
    <Panel id={id} />
  ) : (
    <Customer
      id={id}
      back={
        <BackLink to="/staff/members" search={true} hash={true}>
          Back to Members
        </BackLink>
      }
    />
  );
}

function Panel({ id }: { id: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const query = useCustomer(id);
  const name = query.data && `${query.data.profile.first_name} ${query.data.profile.last_name}`;

  const close = useEffectEvent(() => {
    void navigate({ to: '/staff/members', search: true, hash: true, resetScroll: false });
    document.getElementById(rowLinkId(id))?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // Dialogs, menus and text fields use the key themselves.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
        close();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  return (
    <aside
      aria-label={name ?? 'Member'}
      className="sticky top-0 h-[calc(100dvh-var(--above-page,0px))] animate-appear overflow-y-auto border-line border-l bg-background"
    >
      <header className="sticky top-0 z-10 flex items-start justify-between gap-3 border-line border-b bg-background px-6 pt-5 pb-4">
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="truncate text-2xl">
            {name ?? 'Member'}
          </h2>
          {query.data && (
            <p className="mt-1 text-ink-muted text-sm">
              <CustomerContact member={query.data} />
            </p>
          )}
        </div>
        <IconButton
          label="Close"
          icon={<Icon shape="cross" />}
          onClick={() => close()}
          className="-mt-1.5 -mr-3"
        />
      </header>
      <div className="flex flex-col gap-4 px-6 py-5">
        {query.isUnknown && !query.data ? (
          <EmptyState picture={<GuestListPicture />} title="Customer not found" />
        ) : (
          <Loaded query={query} failed="We couldn’t load this customer" card lines={8}>
            {(member) => <CustomerBody id={id} member={member} />}
          </Loaded>
        )}
      </div>
    </aside>
  );
}
