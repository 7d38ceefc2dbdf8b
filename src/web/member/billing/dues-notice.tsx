import type { AvailablePours, DuesNow } from '../../../contract/members.ts';
import { pourCount } from '../../../domain/pour.ts';
import { site } from '../../api/site.ts';
import { dateOfDay } from '../../format/dates.ts';
import { lastDayOf, yearEndsSoon } from '../../format/dues.ts';
import { duesPrice } from '../../format/money.ts';
import { Notice } from '../../ui/notice.tsx';

interface DuesNoticeProps {
  dues: DuesNow | null;
  pours: AvailablePours | null;
}

/** What is to be paid at the bar, and by when, or that a year ends. Renders nothing while the membership is paid. */
export function DuesNotice({ dues, pours }: DuesNoticeProps) {
  if (dues && dues.state !== 'overdue' && yearEndsSoon(dues)) return <YearEnding dues={dues} />;
  if (dues?.state !== 'due' && dues?.state !== 'overdue') return null;
  const { state, price_cents } = dues;
  const [paid, end] = [dateOfDay(dues.paid_until), dateOfDay(dues.grace_until)];
  return (
    <Notice
      tone={state === 'due' ? 'info' : 'warning'}
      title={`Please pay ${duesPrice(price_cents)} at the bar by ${state === 'due' ? paid : end}`}
    >
      {state === 'due'
        ? `Your membership is paid until ${paid}. Nothing is charged by itself.`
        : `Your membership was paid until ${paid}. ${shareText(pours)} If it isn’t paid by ${end}, it ends.`}
    </Notice>
  );
}

/** Both ways to go on after a year, which ends by itself. */
function YearEnding({ dues }: { dues: DuesNow }) {
  const { price_cents, year_cents } = dues;
  const online = site.payments === 'on' && year_cents !== null ? ', or a year in your account' : '';
  const another = year_cents === null ? '' : `another year is ${duesPrice(year_cents)}, `;
  return (
    <Notice tone="info" title={`The last day of your year is ${lastDayOf(dues)}`}>
      Nothing renews by itself. To go on, pay at the bar{online}: {another}a month {duesPrice(price_cents)}.
    </Notice>
  );
}

function shareText(pours: AvailablePours | null): string {
  if (!pours || pours.pours_when_paid === 0) return 'You keep your pours until then.';
  const { available_pours, pours_when_paid } = pours;
  return `You have ${pourCount(available_pours)} left, and ${pours_when_paid} more once you pay.`;
}
