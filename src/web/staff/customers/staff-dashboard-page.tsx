import { useRouter } from '@tanstack/react-router';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import ScanLine from 'lucide-react/icons/scan-line';
import { useEffect } from 'react';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { StaffNoticesCard } from '../notices/staff-notices-card.tsx';
import { preloadScanner } from '../scanner/preload-scanner.ts';
import { TodoCard } from '../setup/todo-card.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { useTablet } from '../tablet/use-tablet.ts';
import { TonightCard } from '../tonight/tonight-card.tsx';
import { useWideWindow } from '../tonight/use-wide-window.ts';
import { CustomerSearch } from './customer-search.tsx';

export function StaffDashboardPage() {
  const router = useRouter();
  const isWide = useWideWindow();
  const tablet = useTablet();
  useEffect(() => preloadScanner(() => router.preloadRoute({ to: '/staff/search' })), [router]);

  return (
    <PageShell
      title="Staff Dashboard"
      back={!tablet && <span />}
      actions={!tablet && <StaffSignOut />}
      width={isWide && !tablet ? 'wide' : 'reading'}
    >
      {isWide && !tablet ? (
        <div className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] items-start gap-6">
          <div className="flex min-w-0 flex-col gap-6">
            <BarParts />
          </div>
          <TonightCard />
        </div>
      ) : (
        <BarParts />
      )}
    </PageShell>
  );
}

/** The parts needed at the bar, at every window size. */
function BarParts() {
  const office = useTablet() === null;
  return (
    <>
      <div className="grid gap-3">
        <LinkButton
          to="/staff/search"
          size="lg"
          block
          className="min-h-28 text-xl"
          icon={<ScanLine size={34} aria-hidden="true" />}
        >
          Scan Customer QR Code
        </LinkButton>
        {office && (
          <LinkButton
            to="/staff/applications"
            variant="secondary"
            size="lg"
            block
            icon={<ClipboardList size={22} aria-hidden="true" />}
          >
            Membership Applications
          </LinkButton>
        )}
      </div>
      {office && <TodoCard />}
      {office && <StaffNoticesCard />}
      <CustomerSearch />
    </>
  );
}
