import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { ageText } from '../../format/age.ts';
import { useNow } from '../../ui/use-now.ts';
import type { SeenMemberEntry } from './seen-members.ts';

/** Links to the pour page, which makes no requests. */
export function SeenMemberRow({ member }: { member: SeenMemberEntry }) {
  const { at, ...customer } = member;
  const now = useNow();
  const age = ageText(new Date(at).toISOString(), new Date(now).toISOString());
  return (
    <li>
      <Link
        to="/staff/customers/$id/add-pour"
        params={{ id: customer.id }}
        state={{ customer }}
        className="flex min-h-18 items-center gap-3 py-3"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold text-lg">
            {customer.first_name} {customer.last_name}
          </span>
          <span className="block text-ink-muted text-sm tabular-nums">
            {customer.pours_balance} left, known {age}
          </span>
        </span>
        <TierBadge tier={customer.tier} />
        <ChevronRight size={20} aria-hidden="true" className="shrink-0 text-ink-muted" />
      </Link>
    </li>
  );
}
