import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { SignOutButton } from '../account/sign-out-button.tsx';
import { renewPush } from '../api/device/push.ts';
import type { OfflineCard } from '../api/offline-card.ts';
import { QueryProvider } from '../api/query-provider.tsx';
import { currentUser, forgetSession } from '../api/session.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LockedDoorPicture } from '../ui/illustrations.tsx';
import { PageShell } from '../ui/page-shell.tsx';
import { PageSpinner } from '../ui/spinner.tsx';
import { toast } from '../ui/toast.ts';
import { isDeletingAccount } from './account/deleting-account.ts';
import { useOfflineCard } from './card/use-offline-card.ts';
import { followChanges } from './follow-changes.ts';
import { MemberNav } from './member-nav.tsx';

// Loaded separately: it includes the code that draws QR codes.
const OfflinePage = lazy(async () => ({ default: (await import('./card/offline-page.tsx')).OfflinePage }));

interface MemberLayoutProps {
  /** The card saved on this device, if the server cannot be reached. */
  offlineCard: OfflineCard | null;
  /** Null for an account without a role. */
  memberId: string | null;
}

export function MemberLayout({ offlineCard, memberId }: MemberLayoutProps) {
  if (offlineCard) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <OfflinePage card={offlineCard} />
      </Suspense>
    );
  }
  if (!memberId) return <NoRolePage />;
  return (
    <QueryProvider memberId={memberId}>
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
  return null;
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

/** Updates the page on changes, and leaves it if the account was deleted on another device. */
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
