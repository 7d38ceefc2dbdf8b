import { type ApplicationStatus, isUnfinished } from '../../../domain/application.ts';
import { Badge } from '../../ui/badge.tsx';
import { STATUS_LABELS, STATUS_TONES } from './application-list-query.ts';

interface ApplicationStatusBadgeProps {
  application: { status: ApplicationStatus; is_complete: boolean };
}

/** The status, and whether the applicant stopped before choosing a tier. */
export function ApplicationStatusBadge({ application }: ApplicationStatusBadgeProps) {
  const { status } = application;
  return (
    <span className="flex flex-wrap justify-end gap-1.5">
      <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
      {isUnfinished(application) && <Badge>Unfinished</Badge>}
    </span>
  );
}
