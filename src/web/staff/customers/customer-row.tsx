import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { MemberRow } from '../../../contract/members.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';

export function CustomerRow({ member }: { member: MemberRow }) {
  return (
    <li>
      <Link
        to="/staff/customers/$id"
        params={{ id: member.user_id }}
        className="flex min-h-18 items-center gap-3 px-5 py-3 hover:bg-surface-raised focus-visible:-outline-offset-3 sm:px-7"
      >
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 break-words font-semibold text-lg">
            {member.first_name} {member.last_name}
          </span>
          <span className="block truncate text-ink-muted text-sm">{member.email}</span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-1">
          <TierBadge tier={member.tier} />
          <span className="text-ink-muted text-sm tabular-nums">{member.pours_balance} left</span>
        </span>
        <ChevronRight size={20} aria-hidden="true" className="shrink-0 text-ink-muted" />
      </Link>
    </li>
  );
}
