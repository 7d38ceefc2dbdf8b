import { DataExportCard } from '../../account/data-export-card.tsx';
import { DeviceCard } from '../../account/device-card.tsx';
import { EmailReminder } from '../../account/email/email-reminder.tsx';
import { SecurityCards } from '../../account/security-cards.tsx';
import { SessionsCard } from '../../account/sessions-card.tsx';
import { startInScanner, useDeviceSetting } from '../../api/device-setting.ts';
import type { SessionUser } from '../../api/session.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useOfficeWindow } from '../../ui/use-media.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { PinCard } from './pin-card.tsx';

export function StaffAccountPage({ user }: { user: SessionUser }) {
  const back = useBackToMore();
  // The office has its own at the foot of the navigation.
  const office = useOfficeWindow();
  return (
    <PageShell
      title="Account"
      width={user.must_enrol ? 'reading' : 'wide'}
      lead={`${user.first_name} ${user.last_name}`.trim()}
      back={user.must_enrol ? undefined : back}
      actions={office ? undefined : <StaffSignOut />}
    >
      {user.must_enrol && (
        <Notice tone="warning" title="Set up two-step sign-in first">
          This venue requires staff to sign in with a code in addition to their password. Setting it up takes
          a minute and an authenticator app on your phone.
        </Notice>
      )}
      <EmailReminder user={user} eachVisit />
      {user.must_enrol ? (
        <>
          <SecurityCards user={user} />
          <SessionsCard />
        </>
      ) : (
        <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-5 sm:gap-6">
            <SecurityCards user={user} />
          </div>
          <div className="flex min-w-0 flex-col gap-5 sm:gap-6">
            <PinCard />
            <SessionsCard />
            <BarDeviceCard />
            <DataExportCard />
          </div>
        </div>
      )}
    </PageShell>
  );
}

/** Settings for a phone or tablet that stays at the bar. */
function BarDeviceCard() {
  const starts = useDeviceSetting(startInScanner);
  return (
    <DeviceCard hint="The scanner and the pour page are dark unless you choose Light.">
      <label className="target flex items-center gap-3">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          checked={starts}
          onChange={(event) => startInScanner.write(event.target.checked)}
        />
        Start in the scanner after signing in
      </label>
    </DeviceCard>
  );
}
