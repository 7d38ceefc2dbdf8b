import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StaffNotice } from '../../../contract/staff-notices.ts';
import { orpc } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useLogged } from '../../ui/use-logged.ts';
import { formatDateTime } from '../venue-dates.ts';
import { noticeText } from './notice-text.ts';
import { SettleButton } from './settle-button.tsx';

const REFRESH_MS = 60_000;

export function StaffNoticesCard() {
  const { data: notices = [], error } = useQuery({
    ...orpc.staffNotices.list.queryOptions(),
    refetchInterval: REFRESH_MS,
  });
  useLogged('Loading staff notices', error);
  if (notices.length === 0) return null;
  const open = notices.filter(({ settled }) => !settled).length;
  return (
    <Card
      title="Needs Attention"
      aside={
        open > 0 ? <Badge tone="warning">{open} open</Badge> : <Badge tone="positive">All settled</Badge>
      }
      padding="plain"
    >
      <ul className="@container divide-y divide-line">
        {notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
    </Card>
  );
}

function NoticeRow({ notice }: { notice: StaffNotice }) {
  const { id, member, created_at, settled } = notice;
  const { happened, next } = noticeText(notice);
  return (
    <li className="grid gap-3 px-5 py-4 sm:px-7 @lg:grid-cols-[1fr_auto] @lg:items-start @lg:gap-6">
      <div className={classNames('min-w-0 wrap-anywhere', settled && 'text-ink-muted')}>
        <p className="font-semibold">{happened}</p>
        {!settled && <p className="mt-1">{next}</p>}
        <p className="mt-1.5 flex flex-wrap gap-x-3 text-ink-muted text-sm">
          <span>
            {settled ? `Settled by ${settled.by}, ` : 'Since '}
            <time dateTime={settled?.at ?? created_at} className="whitespace-nowrap">
              {formatDateTime(settled?.at ?? created_at)}
            </time>
          </span>
          {member && <MemberLink member={member} />}
        </p>
      </div>
      <SettleButton id={id} settled={settled !== null} about={happened} />
    </li>
  );
}

/** A person who was never a member has no page, but an email. */
function MemberLink({ member }: { member: NonNullable<StaffNotice['member']> }) {
  if (!member.has_record) {
    return (
      <a href={`mailto:${member.email}`} className="link">
        {member.email}
      </a>
    );
  }
  return (
    <Link to="/staff/customers/$id" params={{ id: member.user_id }} className="link">
      {member.first_name} {member.last_name}
    </Link>
  );
}
