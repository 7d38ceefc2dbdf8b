import type { ApplicationStatus } from '../../../domain/application.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { dateOfInstant } from '../../format/dates.ts';
import { Notice } from '../../ui/notice.tsx';

interface DecisionNoticeProps {
  decision: { status: ApplicationStatus; reviewed_at: string; tier: string };
}

export function DecisionNotice({ decision }: DecisionNoticeProps) {
  const tierLabel = useTierLabel();
  const date = dateOfInstant(decision.reviewed_at);
  if (decision.status === 'approved') {
    return (
      <Notice tone="positive" title="Your application was approved">
        You have been a {tierLabel(decision.tier)} member since {date}. Show your QR code when you come by.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title="Your application was not accepted">
      We reviewed it on {date}. If you think this is a mistake, <SupportLink>write to us</SupportLink>. You
      can also apply again below.
    </Notice>
  );
}
