import type { ReactNode } from 'react';
import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { BarCard } from '../../../contract/members.ts';
import { memberPhotoUrl } from '../../api/pictures/picture-urls.ts';
import { serverTime } from '../../api/server-clock.ts';
import { Glasses } from '../../brand/glasses.tsx';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { celebrationForStaff } from '../../format/celebration-text.ts';
import { dateOfDay } from '../../format/dates.ts';
import { grantsAtBar } from '../../format/grants-at-bar.ts';
import { lastPourLabel, lastVisitLabel, standingLabel } from '../../format/standing-labels.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Portrait } from '../../ui/picture/portrait.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { bankPaymentText } from '../dues/dues-text.ts';
import { RecordPaymentButton } from '../dues/record-payment-dialog.tsx';
import type { RecentGlasses } from './use-recent-glasses.ts';

interface BarCardViewProps {
  customer: VerifiedCustomer;
  balance: number;
  bar: BarCard | undefined;
  isLoading: boolean;
  /** This page has recorded its pour, which is the last one then. */
  poured: boolean;
  /** The scanned code was on paper, so it may have been copied. */
  onPaper: boolean;
  recent: RecentGlasses;
}

/** Replaces the member's data when a guest of theirs is served: nothing of the member is the guest's to see. */
export function GuestCardView({ customer: { first_name, last_name } }: Pick<BarCardViewProps, 'customer'>) {
  return (
    <>
      <h2 className="line-clamp-2 wrap-anywhere pinned:text-xl! text-2xl leading-tight">
        Guest of {first_name} {last_name}
      </h2>
      <p className="mt-3 rounded-md bg-accent-soft px-3 py-2 font-semibold text-accent-text">
        1 pour. Check the guest’s ID.
      </p>
    </>
  );
}

const STANDING_STYLES = {
  positive: { shape: 'done', color: 'text-positive' },
  warning: { shape: 'caution', color: 'text-warning' },
  danger: { shape: 'alert', color: 'text-danger' },
} as const;

const DISPUTE_TEXT = { open: 'Disputed at the bank', lost: 'Taken back by the bank' } as const;

/** Every row has its space from the start, so that nothing moves under the thumb while data loads. Nothing is cut off. */
export function BarCardView(props: BarCardViewProps) {
  const { customer, balance, bar, isLoading, poured, onPaper, recent } = props;
  const now = new Date(serverTime());
  const standing = bar && standingLabel(bar);
  const pours = bar && grantsAtBar(bar.grants, balance);
  const lastPour = bar && lastPourLabel(bar.last_pour, now);
  const notes = exceptions(bar, onPaper);
  return (
    <div>
      <div className="flex items-start gap-4">
        <Portrait
          src={memberPhotoUrl(customer.id, bar?.photo)}
          first_name={customer.first_name}
          last_name={customer.last_name}
          className="size-16 pinned:size-14 text-xl max-[359px]:hidden"
        />
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 wrap-anywhere pinned:text-xl! lying:text-lg! text-2xl leading-tight">
            {customer.first_name} {customer.last_name}
          </h2>
          <TierBadge tier={customer.tier} className="mt-2 pinned:mt-1" />
        </div>
        <p className="shrink-0 text-right">
          <span className="block font-title text-5xl pinned:text-4xl tabular-nums">{balance}</span>
          <span className="text-ink-muted text-sm">Available Pours</span>
        </p>
      </div>
      {/* On a phone, the sources of the pours have their two lines from the start: the form is below. */}
      <div className="flow-root short:min-h-6.5 lying:min-h-6.5 pinned:min-h-10.5">
        {notes.length > 0 && (
          <p className="mt-2 pinned:mt-1 text-sm leading-snug">
            {notes.map(({ text, tone }) => (
              <span key={text} className={classNames('mr-3', tone)}>
                {text}
              </span>
            ))}
          </p>
        )}
        <div className="mt-3 h-9 pinned:hidden">
          {bar && (
            <Glasses
              available={balance}
              max={bar.period_pours}
              className="m-0! flex h-full items-center gap-x-1.5 [&>svg]:m-0 [&>svg]:min-w-0"
            />
          )}
        </div>
        {pours && (
          <p className="mt-2 pinned:mt-1 text-balance text-ink-muted text-sm pinned:leading-tight">{pours}</p>
        )}
      </div>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 border-line border-t pt-2 text-sm pinned:mt-1 pinned:pt-1">
        <Detail term="Status" action={bar && unpaidDues(bar)} isLoading={isLoading}>
          {standing && (
            <span className={classNames('font-semibold', STANDING_STYLES[standing.tone].color)}>
              {/* In the text: beside two lines, it would stand apart from them. */}
              <Icon
                shape={STANDING_STYLES[standing.tone].shape}
                size={17}
                className="-mt-0.5 mr-1.5 inline"
              />
              {standing.text}
            </span>
          )}
        </Detail>
        {bar?.dispute && (
          <Detail term="Payment" isLoading={isLoading}>
            <span className="flex items-center gap-1.5 font-semibold text-danger">
              <Icon shape="alert" size={17} className="shrink-0" />
              {DISPUTE_TEXT[bar.dispute]}
            </span>
          </Detail>
        )}
        <Detail term="Allergies" isLoading={isLoading}>
          {bar &&
            (bar.allergies ? (
              <span className="rounded-md bg-danger-soft px-2 py-0.5 text-left font-semibold text-danger">
                <Icon shape="caution" size={17} className="-mt-0.5 mr-1.5 inline" />
                {bar.allergies}
              </span>
            ) : (
              'None noted'
            ))}
        </Detail>
        <Detail term="Last 2 hours" isLoading={isLoading}>
          {recent.known && <Warned when={recent.level !== 'fine'}>{glassesText(recent.glasses)}</Warned>}
        </Detail>
        {/* On a phone, the last pour says it. */}
        <Detail term="Last visit" isLoading={isLoading} className="pinned:hidden">
          {bar && lastVisitLabel(bar.last_visit, now)}
        </Detail>
        <Detail term="Last pour" isLoading={isLoading}>
          {/* The result below says what it was. */}
          {poured ? 'Just now' : lastPour && <Warned when={lastPour.recent}>{lastPour.text}</Warned>}
        </Detail>
      </dl>
    </div>
  );
}

/** What is not as usual, in as few lines as possible: a phone keeps the whole form above its button. */
function exceptions(bar: BarCard | undefined, onPaper: boolean): { text: string; tone: string }[] {
  const texts = bar?.celebrations.map(celebrationForStaff) ?? [];
  if (bar?.hundredth_next) texts.push('The next glass is their 100th');
  return [
    ...(onPaper ? [{ text: 'Printed card: check the name', tone: 'font-semibold' }] : []),
    ...(bar?.bank_payment ? [{ text: bankPaymentText(bar.bank_payment), tone: 'font-semibold' }] : []),
    ...texts.map((text) => ({ text, tone: 'font-semibold text-positive' })),
    ...(bar?.household ? [{ text: `Household with ${bar.household.with}`, tone: '' }] : []),
    ...(bar?.gift ? [{ text: giftText(bar.gift), tone: 'text-ink-muted' }] : []),
    ...(bar?.house
      ? [{ text: `On the house, until ${dateOfDay(bar.house.last_day)}`, tone: 'text-ink-muted' }]
      : []),
  ];
}

const giftText = ({ from_name, last_day }: NonNullable<BarCard['gift']>) =>
  `A gift${from_name ? ` from ${from_name}` : ''}, until ${dateOfDay(last_day)}`;

const glassesText = (glasses: number) =>
  glasses === 0 ? 'No glasses' : `${glasses} ${glasses === 1 ? 'glass' : 'glasses'}`;

function Warned({ when, children }: { when: boolean; children: string }) {
  if (!when) return children;
  return (
    <span className="rounded-md bg-warning-soft px-2 py-0.5 font-semibold text-warning leading-tight">
      <Icon shape="caution" size={17} className="-mt-0.5 mr-1.5 inline" />
      {children}
    </span>
  );
}

function unpaidDues(bar: BarCard) {
  const { dues, household, first_name } = bar;
  if (dues?.state !== 'due' && dues?.state !== 'overdue') return null;
  // Dues are the holder's.
  const payer = household?.role === 'partner' ? household : { customer_id: bar.id, with: first_name };
  return <RecordPaymentButton customerId={payer.customer_id} name={payer.with} dues={dues} />;
}

interface DetailProps {
  term: string;
  /** A button in the place of the term, in a row that leaves the columns of the others as they are. */
  action?: ReactNode;
  isLoading: boolean;
  className?: string;
  children: ReactNode;
}

function Detail({ term, action, isLoading, className, children }: DetailProps) {
  const missing = isLoading ? (
    <Skeleton className="h-4 w-28" />
  ) : (
    <span className="text-ink-muted">Not available</span>
  );
  const detail = (
    <dd
      className={classNames(
        'flex min-h-7 min-w-0 items-center justify-end text-balance text-right pinned:min-h-6',
        className,
      )}
    >
      {children ?? missing}
    </dd>
  );
  if (action) {
    return (
      <div className="col-span-2 flex flex-wrap-reverse items-center justify-between gap-x-3 py-1.5 [&>dd]:flex-1 [&>dd]:basis-36">
        <dt className="shrink-0">
          <span className="sr-only">{term}</span>
          {action}
        </dt>
        {detail}
      </div>
    );
  }
  return (
    <>
      <dt className={classNames('flex items-center text-ink-muted', className)}>{term}</dt>
      {detail}
    </>
  );
}
