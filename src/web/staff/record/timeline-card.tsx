import { useInfiniteQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import CalendarX from 'lucide-react/icons/calendar-x';
import ChevronsUp from 'lucide-react/icons/chevrons-up';
import CircleSlash from 'lucide-react/icons/circle-slash';
import CreditCard from 'lucide-react/icons/credit-card';
import DoorOpen from 'lucide-react/icons/door-open';
import Forward from 'lucide-react/icons/forward';
import Gift from 'lucide-react/icons/gift';
import Hourglass from 'lucide-react/icons/hourglass';
import LogOut from 'lucide-react/icons/log-out';
import Mail from 'lucide-react/icons/mail';
import PackageCheck from 'lucide-react/icons/package-check';
import PackageOpen from 'lucide-react/icons/package-open';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point';
import ShieldX from 'lucide-react/icons/shield-x';
import StickyNote from 'lucide-react/icons/sticky-note';
import Wine from 'lucide-react/icons/wine';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '../../../contract/staff/member-record.ts';
import { localDate } from '../../../domain/calendar.ts';
import { titleCaseLocation } from '../../../domain/club/places.ts';
import { formatAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api, orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay, formatDateTime } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { CsvLink } from '../csv-link.tsx';
import { useMayExport } from './use-member-record.ts';

const SIGNS: Record<TimelineEntry['kind'], LucideIcon> = {
  joined: DoorOpen,
  ended: LogOut,
  changed_tier: ArrowLeftRight,
  paid: CreditCard,
  refunded: RotateCcw,
  disputed: ShieldAlert,
  dispute_won: ShieldCheck,
  dispute_lost: ShieldX,
  poured: Wine,
  voided: CircleSlash,
  given: Gift,
  gift_bought: PackageCheck,
  gift_redeemed: PackageOpen,
  gift_refunded: RotateCcw,
  month_granted: CalendarPlus,
  advance_granted: Hourglass,
  rest_granted: CalendarCheck,
  rolled_over: Forward,
  rollable_changed: Forward,
  tier_known: ArrowLeftRight,
  tier_raised: ChevronsUp,
  month_end_moved: CalendarX,
  emailed: Mail,
  noted: StickyNote,
};

const amountOf = ({ amount }: TimelineEntry) =>
  amount ? formatAmount(amount.cents, amount.currency) : 'Payment';

/** '2 pours more' or '1 pour fewer' */
const moreOrFewer = (glasses: number) => `${pourCount(Math.abs(glasses))} ${glasses < 0 ? 'fewer' : 'more'}`;

/** '12/17/2026': the last day at the venue. */
const lastDay = (until: string) => dateOfDay(localDate(new Date(Date.parse(until) - 1), site.time_zone));

const untilDay = ({ until }: TimelineEntry) => (until ? `, until ${lastDay(until)}` : '');

function titleOf(entry: TimelineEntry, tierLabel: (tier: string) => string): string {
  const { kind, tier, glasses, location, amount, text } = entry;
  switch (kind) {
    case 'joined':
      return `Joined as ${tierLabel(tier ?? '')}`;
    case 'ended':
      return `${tierLabel(tier ?? '')} membership ended`;
    case 'changed_tier':
      return `Changed to ${tierLabel(tier ?? '')}${glasses ? `, ${moreOrFewer(glasses)} this month` : ''}`;
    case 'paid':
      return amount ? `Paid ${formatAmount(amount.cents, amount.currency)}` : 'Paid';
    case 'refunded':
      return amount ? `${formatAmount(amount.cents, amount.currency)} refunded` : 'Refunded';
    case 'disputed':
      return `${amountOf(entry)} disputed at the bank`;
    case 'dispute_won':
      return `Dispute won: ${amountOf(entry)} kept`;
    case 'dispute_lost':
      return `Dispute lost: ${amountOf(entry)} taken back`;
    case 'poured':
      return `${pourCount(glasses ?? 0)}, ${titleCaseLocation(location ?? '')}`;
    case 'voided':
      return `${pourCount(glasses ?? 0)} voided`;
    case 'given':
      return glasses && glasses < 0
        ? `${pourCount(-glasses)} taken back`
        : `${pourCount(glasses ?? 0)} given`;
    case 'gift_bought':
      return `Bought ${tierLabel(tier ?? '')} as a gift${amount ? ` for ${formatAmount(amount.cents, amount.currency)}` : ''}`;
    case 'gift_redeemed':
      return `Their gift of ${tierLabel(tier ?? '')} was redeemed`;
    case 'gift_refunded':
      return `${amount ? `${formatAmount(amount.cents, amount.currency)} for their` : 'Their'} gift of ${tierLabel(tier ?? '')} refunded`;
    case 'rolled_over':
      return `${pourCount(glasses ?? 0)} rolled over from the month before${untilDay(entry)}`;
    case 'month_granted':
      return `${pourCount(glasses ?? 0)} for the month${untilDay(entry)}`;
    case 'advance_granted':
      return `${pourCount(glasses ?? 0)} ahead of the month’s payment${untilDay(entry)}`;
    case 'rest_granted':
      return `${moreOrFewer(glasses ?? 0)}: the month is paid`;
    case 'rollable_changed':
      return glasses && glasses < 0
        ? `${pourCount(-glasses)} cannot roll over any more`
        : `${pourCount(glasses ?? 0)} can roll over again`;
    case 'tier_known':
      return `The month began as ${tierLabel(tier ?? '')}${glasses ? `: ${moreOrFewer(glasses)}` : ''}`;
    case 'tier_raised':
      return `${moreOrFewer(glasses ?? 0)}: ${tierLabel(tier ?? '')} gives more now`;
    case 'month_end_moved':
      return `The month now ends on ${lastDay(entry.until ?? entry.at)}`;
    case 'emailed':
      return text ? `Email: ${text}` : 'Email';
    case 'noted':
      return 'Note';
  }
}

export function TimelineCard({ customerId, aside }: { customerId: string; aside?: ReactNode }) {
  const tierLabel = useTierLabel();
  const mayExport = useMayExport();
  const query = useInfiniteQuery({
    queryKey: [...orpc.memberRecord.key(), 'timeline', customerId],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.memberRecord.listTimeline({ customer_id: customerId, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  return (
    <Card
      title="Timeline"
      aside={
        <span className="flex items-center">
          {mayExport && (
            <CsvLink href={`/api/customers/${customerId}/timeline/csv`} label="Timeline as a CSV file" />
          )}
          {aside}
        </span>
      }
    >
      <Loaded query={query} action="Loading the timeline" lines={5}>
        {({ pages }) => (
          <ol className="flex flex-col gap-4">
            {pages
              .flatMap((page) => page.entries)
              .map((entry) => (
                <Entry key={`${entry.kind} ${entry.id}`} entry={entry} title={titleOf(entry, tierLabel)} />
              ))}
          </ol>
        )}
      </Loaded>
      {query.hasNextPage && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          disabled={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Show earlier
        </Button>
      )}
    </Card>
  );
}

function Entry({ entry: { kind, at, by, text }, title }: { entry: TimelineEntry; title: string }) {
  const Sign = SIGNS[kind];
  return (
    <li className="flex gap-3">
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-surface-sunken text-brass-text">
        <Sign size={16} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <p className="break-words font-medium">{title}</p>
        {text && kind !== 'emailed' && <p className="whitespace-pre-line break-words text-sm">{text}</p>}
        <p className="text-ink-muted text-sm">
          <time dateTime={at}>{formatDateTime(at)}</time>
          {by && `, by ${by}`}
        </p>
      </div>
    </li>
  );
}
