import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouteContext, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { decodeCard } from '../../domain/card.ts';
import { SignOutButton } from '../account/sign-out-button.tsx';
import { orpc } from '../api/client.ts';
import { renewPush } from '../api/device/push.ts';
import { registerServiceWorker } from '../api/device/register-service-worker.ts';
import { deleteOfflineCard, saveOfflineCard } from '../api/offline-card.ts';
import { QueryProvider } from '../api/query-provider.tsx';
import { currentUser, forgetSession } from '../api/session.ts';
import { useTierLabel } from '../api/use-tier-names.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LockedDoorPicture } from '../ui/illustrations.tsx';
import { PageShell } from '../ui/page-shell.tsx';
import { PageSpinner } from '../ui/spinner.tsx';
import { themeSetting } from '../ui/theme.ts';
import { toast } from '../ui/toast.ts';
import { isDeletingAccount } from './account/deleting-account.ts';
import { cardCodeQuery } from './card/card-code-query.ts';
import { followChanges } from './follow-changes.ts';
import { MemberNav } from './member-nav.tsx';

// Loaded separately: it includes the code that draws QR codes.
const OfflinePage = lazy(async () => ({ default: (await import('./card/offline-page.tsx')).OfflinePage }));

export default function MemberLayout() {
  useEffect(registerServiceWorker, []);
  const { offlineCard, user } = useRouteContext({ from: '/_member' });
  if (offlineCard) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <OfflinePage card={offlineCard} />
      </Suspense>
    );
  }
  if (user.role === null) return <NoRolePage />;
  return (
    <QueryProvider memberId={user.id}>
      <Background />
      <MemberNav />
      <div className="nav-page">
        <Outlet />
      </div>
    </QueryProvider>
  );
}

function Background() {
  useLiveChanges();
  useOfflineCard();
  useEffect(() => void renewPush(), []);
  useSystemColors();
  return null;
}

/** Members have no choice of colors: an earlier one on this device would stay for ever. */
function useSystemColors(): void {
  useEffect(() => {
    if (themeSetting.read() !== 'system') themeSetting.write('system');
  }, []);
}

/** The dashboard of an account with an unreadable role: every call would be refused. */
function NoRolePage() {
  return (
    <PageShell title="Dashboard" back={null} actions={<SignOutButton size="sm" />}>
      <Card>
        <EmptyState
          picture={<LockedDoorPicture />}
          title="Your account has no access"
          text={
            <>
              Sign out and in again. If that does not help, write to <SupportLink />.
            </>
          }
        />
      </Card>
    </PageShell>
  );
}

function useLiveChanges(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const checkSession = async () => {
      if (isDeletingAccount()) return;
      forgetSession();
      if ((await currentUser()) !== null) return;
      toast.info('You’ve been signed out', {
        description: 'This account was deleted.',
        nextPage: true,
      });
      await router.navigate({ to: '/login', replace: true });
    };
    return followChanges(client, () => void checkSession().catch(() => undefined));
  }, [client, router]);
}

/** Stores the member's latest code on the device while the app is open, in case the network fails. */
function useOfflineCard(): void {
  const { data: me } = useQuery({ ...orpc.members.getOwn.queryOptions(), enabled: false });
  // A paused membership has no code, so none is requested.
  const customer = me?.customer?.status === 'active' && me.pours?.access ? me.customer : null;
  const { data: code, dataUpdatedAt } = useQuery({ ...cardCodeQuery, enabled: customer !== null });

  const tierLabel = useTierLabel();
  const tier_label = tierLabel(customer?.tier ?? '');

  useEffect(() => {
    if (!me) return;
    if (!customer) return deleteOfflineCard();
    // The session cookie decides whose code this is: another user may have signed in, in another tab.
    if (!code || decodeCard(code.token)?.claims.customer_id !== customer.id) return;
    const { first_name, last_name, id } = me.profile;
    const { tier, member_since } = customer;
    const { token } = code;
    saveOfflineCard({
      user_id: id,
      first_name,
      last_name,
      tier,
      tier_label,
      member_since,
      token,
      arrived_at: dataUpdatedAt,
    });
  }, [me, customer, tier_label, code, dataUpdatedAt]);
}
