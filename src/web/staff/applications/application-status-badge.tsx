import { type ApplicationStatus, isUnfinished } from '../../../domain/application.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export const STATUS_LABELS: Record<ApplicationStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
};

const STATUS_TONES: Record<ApplicationStatus, Tone> = {
  pending: 'warning',
  approved: 'positive',
  rejected: 'danger',
};

interface ApplicationStatusBadgeProps {
  application: { status: ApplicationStatus; is_complete: boolean };
}

export function ApplicationStatusBadge({ application }: ApplicationStatusBadgeProps) {
  const { status } = application;
  return (
    <span className="flex flex-wrap justify-end gap-1.5">
      <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
      {isUnfinished(application) && <Badge>Unfinished</Badge>}
    </span>
  );
}
