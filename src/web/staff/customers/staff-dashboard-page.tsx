import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import ScanLine from 'lucide-react/icons/scan-line';
import UserPlus from 'lucide-react/icons/user-plus';
import { type ReactNode, useEffect } from 'react';
import { orpc } from '../../api/client.ts';
import { settingUp, useDeviceSetting } from '../../api/device-setting.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useMedia, useOfficeWindow } from '../../ui/use-media.ts';
import { StaffNoticesCard } from '../notices/staff-notices-card.tsx';
import { useManagesMembers } from '../record/use-member-record.ts';
import { useDashboardName } from '../shell/back-links.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { useTablet } from '../tablet/use-tablet.ts';
import { TonightCard } from '../tonight/tonight-card.tsx';
import { CustomerSearch } from './customer-search.tsx';

/** The start of Tailwind's `lg`. */
const WIDE = '(min-width: 64rem)';

export default function StaffDashboardPage() {
  const router = useRouter();
  const isWide = useMedia(WIDE);
  const tablet = useTablet();
  const name = useDashboardName();
  // The office has Sign Out at the foot of the navigation.
  const signsOut = !useOfficeWindow() && !tablet;
  useEffect(() => preloadScanner(() => router.preloadRoute({ to: '/staff/search' })), [router]);

  return (
    <PageShell title={name} actions={signsOut && <StaffSignOut />} width={isWide ? 'wide' : 'reading'}>
      {isWide && !tablet ? (
        <div className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] items-start gap-6">
          <div className="flex min-w-0 flex-col gap-6">
            <BarParts />
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <StaffNoticesCard />
            <TonightCard />
          </div>
        </div>
      ) : (
        <BarParts notices={!tablet && <StaffNoticesCard />} />
      )}
    </PageShell>
  );
}

/** The parts needed at the bar, at every window size. `notices` come before the search where there is one column. */
function BarParts({ notices }: { notices?: ReactNode }) {
  const office = useTablet() === null;
  const manages = useManagesMembers();
  return (
    <>
      <div className="grid lying:auto-cols-fr lying:grid-flow-col gap-3">
        <LinkButton
          to="/staff/search"
          size="lg"
          block
          className="min-h-28 short:min-h-16 lying:min-h-16 lying:px-3 text-xl lying:text-lg max-[24rem]:text-lg max-[22rem]:text-base"
          icon={<ScanLine size={34} />}
        >
          Scan Customer QR Code
        </LinkButton>
        {office && manages && (
          <LinkButton
            to="/staff/members/new"
            variant="secondary"
            size="lg"
            block
            icon={<UserPlus size={22} />}
          >
            Add Member
          </LinkButton>
        )}
      </div>
      {office && <TodoCard />}
      {notices}
      <CustomerSearch />
    </>
  );
}

/** The time the page gets to settle, in browsers that cannot report when they are idle. */
const SETTLE_MS = 1500;

/** Fetches the scanner's page, decoder and WebAssembly while the browser is idle. Returns a function that cancels it. */
function preloadScanner(preloadPage: () => Promise<unknown>): () => void {
  const preload = () => {
    // Ignore failures: missing files are fetched again when needed, and failures reported then.
    preloadPage().catch(() => undefined);
    import('../scanner/decoder.ts').then(({ preloadDecoder }) => preloadDecoder()).catch(() => undefined);
  };
  if ('requestIdleCallback' in window) {
    const idle = window.requestIdleCallback(preload, { timeout: 4 * SETTLE_MS });
    return () => window.cancelIdleCallback(idle);
  }
  const timer = setTimeout(preload, SETTLE_MS);
  return () => clearTimeout(timer);
}

type Todo = 'two_factor' | 'tiers' | 'payments' | 'team' | 'email';

const ITEMS: { what: Todo; label: string; to: LinkProps['to'] }[] = [
  { what: 'two_factor', label: 'Turn on two-step sign-in', to: '/staff/account' },
  { what: 'tiers', label: 'Look through your tiers and prices', to: '/staff/tiers' },
  {
    what: 'payments',
    label: site.payments === 'off' ? 'Turn on card payments' : 'Check Stripe',
    to: '/staff/payments',
  },
  { what: 'email', label: 'Set up a mail server (SMTP_URL), so that members get email', to: '/staff/system' },
  { what: 'team', label: 'Invite your team', to: '/staff/team' },
];

/** The remaining tasks of a new club, on the device that set it up, until everything is done or the card is hidden. */
function TodoCard() {
  return useDeviceSetting(settingUp) ? <Todos /> : null;
}

function Todos() {
  const { data } = useQuery(orpc.setup.listTodo.queryOptions());
  const todos = ITEMS.filter(({ what }) => data?.[what]);
  if (todos.length === 0) return null;
  return (
    <Card
      title="Left to Do"
      aside={
        <Button variant="quiet" size="sm" onClick={() => settingUp.write(false)}>
          Hide
        </Button>
      }
    >
      <ul className="flex flex-col">
        {todos.map(({ what, label, to }) => (
          <li key={what}>
            <Link to={to} className="link target inline-flex items-center">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
