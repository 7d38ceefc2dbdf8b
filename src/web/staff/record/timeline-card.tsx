import { useInfiniteQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import CalendarX from 'lucide-react/icons/calendar-x';
import ChevronsUp from 'lucide-react/icons/chevrons-up';
import CirclePause from 'lucide-react/icons/circle-pause';
import CircleSlash from 'lucide-react/icons/circle-slash';
import CreditCard from 'lucide-react/icons/credit-card';
import DoorOpen from 'lucide-react/icons/door-open';
import Forward from 'lucide-react/icons/forward';
import Gift from 'lucide-react/icons/gift';
import HandCoins from 'lucide-react/icons/hand-coins';
import Hourglass from 'lucide-react/icons/hourglass';
import LogOut from 'lucide-react/icons/log-out';
import Mail from 'lucide-react/icons/mail';
import PackageCheck from 'lucide-react/icons/package-check';
import PackageOpen from 'lucide-react/icons/package-open';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point';
import ShieldX from 'lucide-react/icons/shield-x';
import Sparkles from 'lucide-react/icons/sparkles';
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
import { dateOfDay } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { CsvLink } from '../csv-link.tsx';
import { formatDateTime } from '../venue-dates.ts';
import { useMayExport } from './use-member-record.ts';

const SIGNS: Record<TimelineEntry['kind'], LucideIcon> = {
  joined: DoorOpen,
  ended: LogOut,
  changed_tier: ArrowLeftRight,
  paid: CreditCard,
  dues_paid: HandCoins,
  dues_voided: CircleSlash,
  paused: CirclePause,
  refunded: RotateCcw,
  returned: RotateCcw,
  disputed: ShieldAlert,
  dispute_won: ShieldCheck,
  dispute_lost: ShieldX,
  poured: Wine,
  voided: CircleSlash,
  given: Gift,
  benefit_taken: Sparkles,
  benefit_undone: CircleSlash,
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

/** '12/17/2026': the last day at the venue. */
const lastDay = (until: string) => dateOfDay(localDate(new Date(Date.parse(until) - 1), site.time_zone));

/** The values of an entry, as its title says them. */
function wordsOf(entry: TimelineEntry, tierLabel: (tier: string) => string) {
  const { tier, glasses, location, amount, until } = entry;
  const pours = pourCount(Math.abs(glasses ?? 0));
  return {
    entry,
    tier: tierLabel(tier ?? ''),
    glasses: glasses ?? 0,
    pours,
    /** '2 pours more' or '1 pour fewer' */
    more: `${pours} ${glasses && glasses < 0 ? 'fewer' : 'more'}`,
    place: titleCaseLocation(location ?? ''),
    money: amount ? formatAmount(amount.cents, amount.currency) : undefined,
    until: until ? `, until ${lastDay(until)}` : '',
  };
}

const TITLES: Record<TimelineEntry['kind'], (words: ReturnType<typeof wordsOf>) => string> = {
  joined: ({ tier }) => `Joined as ${tier}`,
  ended: ({ tier }) => `${tier} membership ended`,
  changed_tier: ({ tier, glasses, more }) => `Changed to ${tier}${glasses ? `, ${more} this month` : ''}`,
  paid: ({ money, tier, entry }) => `Paid${money ? ` ${money}` : ''}${entry.tier ? ` for ${tier}` : ''}`,
  dues_paid: ({ money = 'Paid' }) => `${money} paid at the venue`,
  dues_voided: ({ money = 'Payment' }) => `${money} at the venue voided`,
  paused: () => 'Pause at the venue',
  refunded: ({ money }) => (money ? `${money} refunded` : 'Refunded'),
  returned: ({ money = 'Payment' }) => `${money} refunded automatically or at Stripe`,
  disputed: ({ money = 'Payment' }) => `${money} disputed at the bank`,
  dispute_won: ({ money = 'Payment' }) => `Dispute won: ${money} kept`,
  dispute_lost: ({ money = 'Payment' }) => `Dispute lost: ${money} taken back`,
  poured: ({ pours, place }) => `${pours}, ${place}`,
  voided: ({ pours }) => `${pours} voided`,
  given: ({ pours, glasses }) => `${pours} ${glasses < 0 ? 'taken back' : 'given'}`,
  benefit_taken: () => 'Benefit taken',
  benefit_undone: () => 'Benefit undone',
  gift_bought: ({ tier, money }) => `Bought ${tier} as a gift${money ? ` for ${money}` : ''}`,
  gift_redeemed: ({ tier }) => `Their gift of ${tier} was redeemed`,
  gift_refunded: ({ tier, money }) => `${money ? `${money} for their` : 'Their'} gift of ${tier} refunded`,
  rolled_over: ({ pours, until }) => `${pours} rolled over from the month before${until}`,
  month_granted: ({ pours, until }) => `${pours} for the month${until}`,
  advance_granted: ({ pours, until }) => `${pours} ahead of the month’s payment${until}`,
  rest_granted: ({ more }) => `${more}: the month is paid`,
  rollable_changed: ({ pours, glasses }) =>
    glasses < 0 ? `${pours} cannot roll over any more` : `${pours} can roll over again`,
  tier_known: ({ tier, glasses, more }) => `The month began as ${tier}${glasses ? `: ${more}` : ''}`,
  tier_raised: ({ tier, more }) => `${more}: ${tier} gives more now`,
  month_end_moved: ({ entry: { until, at } }) => `The month now ends on ${lastDay(until ?? at)}`,
  emailed: ({ entry: { text } }) => (text ? `Email: ${text}` : 'Email'),
  noted: () => 'Note',
};

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
                <Entry
                  key={`${entry.kind} ${entry.id}`}
                  entry={entry}
                  title={TITLES[entry.kind](wordsOf(entry, tierLabel))}
                />
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
        <Sign size={16} strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <p className="wrap-anywhere font-medium">{title}</p>
        {text && kind !== 'emailed' && <p className="whitespace-pre-line wrap-anywhere text-sm">{text}</p>}
        <p className="text-ink-muted text-sm">
          <time dateTime={at}>{formatDateTime(at)}</time>
          {by && `, by ${by}`}
        </p>
      </div>
    </li>
  );
}
