import { SignOutButton } from '../account/sign-out-button.tsx';
import { SupportLink } from '../brand/support-link.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LockedDoorPicture } from '../ui/illustrations.tsx';
import { PageShell } from '../ui/page-shell.tsx';

/** The dashboard of an account with an unreadable role: every call would be refused. */
export function NoRolePage() {
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
