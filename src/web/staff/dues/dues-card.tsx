import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import type { Dues, DuesEntry } from '../../../contract/staff/dues.ts';
import { DUES_METHODS, type DuesState } from '../../../domain/membership/dues.ts';
import { formatAmount } from '../../../domain/money.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay } from '../../format/dates.ts';
import { duesPrice } from '../../format/money.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { RetryList } from '../../ui/retry-list.tsx';
import { useManagesMembers, useMay } from '../record/use-member-record.ts';
import { formatDateTime } from '../venue-dates.ts';
import { ChangeTierDialog, PendingTier } from './change-tier-dialog.tsx';
import { CountFromDialog } from './count-from-dialog.tsx';
import { METHOD_WORDS, monthsText } from './dues-text.ts';
import { RecordPaymentButton } from './record-payment-dialog.tsx';
import { useDues } from './use-dues.ts';
import { VoidPaymentDialog } from './void-payment-dialog.tsx';

const TITLE = 'Payments at the Venue';
/** Payments shown at first: the pour history is below. */
const FEW = 3;

/** Renders nothing for a member who never paid at the venue, and need not. */
export function DuesCard({ member }: { member: MemberDetail }) {
  const query = useDues(member);
  if (query.isError && !query.data) {
    return (
      <Card title={TITLE} padding="plain">
        <RetryList
          action="Loading payments at the venue"
          error={query.error}
          busy={query.isFetching}
          onRetry={() => query.refetch()}
        />
      </Card>
    );
  }
  if (!query.data) return null;
  const { state, price_cents, entries } = query.data;
  if (entries.length === 0 && (state === null || price_cents === 0)) return null;
  return <DuesOf dues={query.data} member={member} />;
}

const isMoney = ({ kind }: DuesEntry) => kind === 'payment' || kind === 'difference';
const isRunning = (entry: DuesEntry) => isMoney(entry) && entry.voided === null;

function DuesOf({ dues, member }: { dues: Dues; member: MemberDetail }) {
  const { state, price_cents } = dues;
  const { customer, profile, former } = member;
  const manages = useManagesMembers();
  const managesMoney = useMay('manage_money');
  const [all, setAll] = useState(false);
  const [counting, setCounting] = useState(false);
  const [changing, setChanging] = useState(false);
  const [voiding, setVoiding] = useState<DuesEntry | null>(null);
  const mayChange = state !== null && !former;
  // A start that a later one replaced says nothing anymore.
  const entries = dues.entries.filter(({ kind, voided }) => kind !== 'start' || voided === null);
  const mayCount = mayChange && manages && price_cents > 0 && !dues.entries.some(isRunning);
  return (
    <Card
      title={TITLE}
      padding="plain"
      aside={
        entries.length > FEW && (
          <Button variant="quiet" size="sm" onClick={() => setAll(!all)}>
            {all ? 'Show Fewer' : 'Show All'}
          </Button>
        )
      }
    >
      {state && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-4 sm:px-7">
          <p className="flex min-w-0 flex-1 basis-60 items-center gap-3 text-sm">
            <Badge tone={STATES[state].tone} className="shrink-0">
              {STATES[state].label}
            </Badge>
            {stateNote(dues)}
          </p>
          <div className="flex flex-wrap gap-x-3 gap-y-2">
            {mayChange && price_cents > 0 && (
              <RecordPaymentButton
                customerId={customer.id}
                name={profile.first_name}
                dues={dues}
                method={tillMethod(dues.entries.find(isRunning))}
              />
            )}
            {mayChange && !dues.pending_tier && (manages || dues.tiers_up.length > 0) && (
              <Button variant="secondary" size="sm" onClick={() => setChanging(true)}>
                Change Tier
              </Button>
            )}
            {mayCount && (
              <Button variant="secondary" size="sm" onClick={() => setCounting(true)}>
                Count from...
              </Button>
            )}
          </div>
        </div>
      )}
      {mayChange && dues.pending_tier && (
        <PendingTier customerId={customer.id} pending={dues.pending_tier} manages={manages} />
      )}
      {entries.length > 0 ? (
        <ul className="divide-y divide-line border-line border-t">
          {(all ? entries : entries.slice(0, FEW)).map((entry) => (
            <EntryRow
              key={entry.id}
              entry={entry}
              currency={dues.currency}
              onVoid={
                managesMoney && !former && isRunning(entry) && entry.method !== 'online'
                  ? () => setVoiding(entry)
                  : undefined
              }
            />
          ))}
        </ul>
      ) : (
        <p className="border-line border-t px-5 py-4 text-ink-muted text-sm sm:px-7">
          No payments recorded yet. With the first one, the club knows until when {profile.first_name} has
          paid.
        </p>
      )}
      {counting && (
        <CountFromDialog
          customerId={customer.id}
          name={profile.first_name}
          months={dues.months_begin}
          onClose={() => setCounting(false)}
        />
      )}
      {changing && (
        <ChangeTierDialog
          customerId={customer.id}
          name={profile.first_name}
          tier={customer.tier}
          dues={dues}
          method={tillMethod(dues.entries.find(isRunning))}
          manages={manages}
          onClose={() => setChanging(false)}
        />
      )}
      {voiding && (
        <VoidPaymentDialog payment={voiding} currency={dues.currency} onClose={() => setVoiding(null)} />
      )}
    </Card>
  );
}

/** How a payment was made, if that was at the till. */
const tillMethod = (entry: DuesEntry | undefined) => DUES_METHODS.find((method) => method === entry?.method);

const STATES: Record<DuesState, { tone: Tone; label: string }> = {
  not_counted: { tone: 'neutral', label: 'Not counted' },
  paid: { tone: 'positive', label: 'Paid' },
  due: { tone: 'warning', label: 'Due' },
  overdue: { tone: 'danger', label: 'Overdue' },
  ended: { tone: 'danger', label: 'Ended' },
};

function stateNote({ state, paid_until, grace_until, price_cents }: Dues): string {
  if (paid_until === null || grace_until === null)
    return 'Full pours each month, and nobody is asked to pay.';
  const day = dateOfDay(paid_until);
  switch (state) {
    case 'due':
      return `${duesPrice(price_cents)} by ${day}`;
    case 'overdue':
      return `${duesPrice(price_cents)} since ${day}. Unpaid, the membership ends on ${dateOfDay(grace_until)}`;
    default:
      return `Until ${day}`;
  }
}

/** What a row says about a pause: its beginning and extensions, or what it lost once the member came back. */
function pauseText({ months, paid_from, paid_until }: DuesEntry): string {
  if (paid_from === paid_until) return `Pause from ${dateOfDay(paid_from)} taken back`;
  if (months < 0) return `Back from the pause: it ended on ${dateOfDay(paid_until)}`;
  return `Paused from ${dateOfDay(paid_from)} to ${dateOfDay(paid_until)}`;
}

interface EntryRowProps {
  entry: DuesEntry;
  currency: string;
  onVoid: (() => void) | undefined;
}

function EntryRow({ entry, currency, onVoid }: EntryRowProps) {
  const { kind, voided, reference, method, months, paid_on, paid_until, amount_cents, tier } = entry;
  const tierLabel = useTierLabel();
  const isPaid = isMoney(entry);
  const struck = voided && 'text-ink-muted line-through';
  const amount = formatAmount(amount_cents, currency);
  const date = dateOfDay(paid_on);
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-4 sm:px-7">
      <div className="min-w-0">
        <p className={classNames('font-medium', struck)}>
          {isPaid ? date : kind === 'start' ? `Counted from ${dateOfDay(paid_until)}` : pauseText(entry)}
        </p>
        <div className={classNames('flex flex-wrap gap-x-3 text-ink-muted text-sm', struck)}>
          {isPaid && (
            <p>
              {kind === 'difference' && `The difference to ${tierLabel(tier ?? '')} for `}
              {monthsText(months)}, until {dateOfDay(paid_until)}
            </p>
          )}
          {method && <p>{METHOD_WORDS[method]}</p>}
          {reference && <p className="wrap-anywhere">{reference}</p>}
          {(entry.recorded_by || entry.kind === 'pause') && <p>By {entry.recorded_by ?? 'the member'}</p>}
        </div>
        {voided && (
          <p className="mt-1 text-sm">
            <span className="font-semibold">Voided</span> by {voided.by}, {formatDateTime(voided.at)}
            {voided.reason && <span className="block wrap-anywhere">“{voided.reason}”</span>}
          </p>
        )}
      </div>
      {isPaid && (
        <div className="flex shrink-0 flex-col items-end gap-1">
          <span className={classNames('font-medium tabular-nums', struck)}>{amount}</span>
          {onVoid && (
            <Button
              variant="quiet"
              size="sm"
              className="-mr-3"
              aria-label={`Void ${amount}, ${date}`}
              onClick={onVoid}
            >
              Void
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
