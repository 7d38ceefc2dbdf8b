import type { SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';

export function EmailStatus({ user, align = 'end' }: { user: SessionUser; align?: 'start' | 'end' }) {
  if (site.verify_email === 'off' || user.email_verified === undefined) return user.email;
  return (
    <span
      className={classNames(
        'flex flex-col gap-x-3 gap-y-1 sm:flex-row sm:items-center',
        align === 'start' ? 'items-start' : 'items-end',
      )}
    >
      <span className="min-w-0 break-all">{user.email}</span>
      <Badge tone={user.email_verified ? 'positive' : 'neutral'}>
        {user.email_verified ? 'Confirmed' : 'Not confirmed'}
      </Badge>
    </span>
  );
}
