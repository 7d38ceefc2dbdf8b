import type { SessionUser } from '../api/session.ts';
import { site } from '../api/site.ts';
import { Badge } from '../ui/badge.tsx';

/** The user's email, and whether it is confirmed. */
export function EmailStatus({ user }: { user: SessionUser }) {
  if (site.verify_email === 'off' || user.email_verified === undefined) return user.email;
  return (
    <span className="flex flex-col items-end gap-x-3 gap-y-1 sm:flex-row sm:items-center">
      <span className="min-w-0 break-all">{user.email}</span>
      <Badge tone={user.email_verified ? 'positive' : 'neutral'}>
        {user.email_verified ? 'Confirmed' : 'Not confirmed'}
      </Badge>
    </span>
  );
}
