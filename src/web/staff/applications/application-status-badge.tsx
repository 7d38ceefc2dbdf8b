import type { ApplicationStatus } from '../../../domain/application.ts';
import { Badge } from '../../ui/badge.tsx';
import { STATUS_LABELS, STATUS_TONES } from './application-list-query.ts';

export function ApplicationStatusBadge({ status }: { status: ApplicationStatus }) {
  return <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>;
}
