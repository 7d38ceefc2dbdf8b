import type { AvailablePours, DuesNow } from '../../../contract/members.ts';
import { pourCount } from '../../../domain/pour.ts';
import { dateOfDay } from '../../format/dates.ts';
import { duesPrice } from '../../format/money.ts';
import { Notice } from '../../ui/notice.tsx';

interface DuesNoticeProps {
  dues: DuesNow | null;
  pours: AvailablePours | null;
}

/** What is to be paid at the bar, and by when. Renders nothing while the membership is paid. */
export function DuesNotice({ dues, pours }: DuesNoticeProps) {
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

function shareText(pours: AvailablePours | null): string {
  if (!pours || pours.pours_when_paid === 0) return 'You keep your pours until then.';
  const { available_pours, pours_when_paid } = pours;
  return `You have ${pourCount(available_pours)} left, and ${pours_when_paid} more once you pay.`;
}
