import type { ReactNode } from 'react';
import type { ListedMember } from '../../../contract/staff/directory.ts';
import { localDate } from '../../../domain/calendar.ts';
import type { LISTED_STANDINGS, MemberOrder } from '../../../domain/staff/member-filter.ts';
import { deviceSetting } from '../../api/device-setting.ts';
import { site } from '../../api/site.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { dateOfDay } from '../../format/dates.ts';
import { classNames } from '../../ui/class-names.ts';

type ColumnName =
  | 'phone'
  | 'tier'
  | 'standing'
  | 'payment'
  | 'paid'
  | 'joined'
  | 'visited'
  | 'left'
  | 'lifetime';

export interface ListColumn {
  name: ColumnName;
  label: string;
  cell(member: ListedMember): ReactNode;
  order?: MemberOrder;
  isNumber?: boolean;
  width: string;
}

type Standing = (typeof LISTED_STANDINGS)[number];

export const STANDING_WORDS: Record<Standing, string> = {
  venue: 'Billed here',
  active: 'Active',
  ending: 'Ending',
  grace: 'Payment failed',
  paused: 'Paused',
  suspended: 'Payment due',
  ended: 'Ended',
  inactive: 'No membership',
  unknown: 'Unknown',
};

const DOTS: Record<Standing, string> = {
  venue: 'bg-positive',
  active: 'bg-positive',
  ending: 'bg-warning',
  grace: 'bg-warning',
  paused: 'border-2 border-warning',
  suspended: 'bg-danger',
  unknown: 'bg-danger',
  ended: 'border border-line-strong',
  inactive: 'border border-line-strong',
};

export function StandingDot({ standing }: { standing: Standing }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className={classNames('size-2.5 shrink-0 rounded-full', DOTS[standing])} />
      {STANDING_WORDS[standing]}
    </span>
  );
}

const nothing = <span className="text-ink-muted">–</span>;

/** Columns besides name and email, which are always shown. */
export const LIST_COLUMNS: readonly ListColumn[] = [
  { name: 'phone', label: 'Phone', cell: ({ phone }) => phone ?? nothing, width: 'w-40' },
  { name: 'tier', label: 'Tier', cell: ({ tier }) => <TierBadge tier={tier} />, width: 'w-36' },
  {
    name: 'standing',
    label: 'Standing',
    cell: ({ standing }) => <StandingDot standing={standing} />,
    width: 'w-40',
  },
  {
    name: 'payment',
    label: 'Payment',
    cell: ({ payment }) => (payment === 'card' ? 'Card' : 'At the venue'),
    width: 'w-32',
  },
  {
    name: 'paid',
    label: 'Paid until',
    cell: ({ paid_until }) => (paid_until ? dateOfDay(paid_until) : nothing),
    width: 'w-28',
  },
  {
    name: 'joined',
    label: 'Joined',
    cell: ({ member_since }) => dateOfDay(member_since),
    order: 'joined',
    width: 'w-28',
  },
  {
    name: 'visited',
    label: 'Last visit',
    cell: ({ last_visit }) =>
      last_visit ? dateOfDay(localDate(new Date(last_visit), site.time_zone)) : 'Never',
    order: 'visited',
    width: 'w-32',
  },
  { name: 'left', label: 'Left', cell: ({ pours_balance }) => pours_balance, isNumber: true, width: 'w-16' },
  {
    name: 'lifetime',
    label: 'Lifetime',
    cell: ({ total_pours_lifetime }) => total_pours_lifetime,
    isNumber: true,
    width: 'w-24',
  },
];

const AT_FIRST = 'tier,standing,joined,visited,left';

export const shownColumns = deviceSetting('cellar-door:member-columns', (value) =>
  typeof value === 'string' ? value : AT_FIRST,
);
