import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { ageText } from '../../../domain/age.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { useNow } from '../../ui/use-now.ts';
import { matching, type SeenMemberEntry } from './seen-members.ts';

interface SeenMemberListProps {
  members: SeenMemberEntry[];
  /** What is searched for; '' shows all. */
  search: string;
  className?: string;
}

/** Members opened on this device, by name. */
export function SeenMemberList({ members, search, className }: SeenMemberListProps) {
  const matches = matching(members, search);
  if (members.length === 0) {
    return (
      <p className="text-ink-muted">
        No member was opened here in the last day. Their codes can be checked again once the server is back.
      </p>
    );
  }
  if (matches.length === 0) return <p className="text-ink-muted">No members match that name.</p>;
  return (
    <ul className={className}>
      {matches.map((member) => (
        <SeenMemberRow key={member.id} member={member} />
      ))}
    </ul>
  );
}

/** Links to the pour page, which makes no requests. */
function SeenMemberRow({ member }: { member: SeenMemberEntry }) {
  const { at, ...customer } = member;
  const now = useNow();
  const age = ageText(new Date(at), new Date(now));
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
        <ChevronRight size={20} className="shrink-0 text-ink-muted" />
      </Link>
    </li>
  );
}
