import type { ApplicationStatus } from '../../../domain/application.ts';
import { Badge } from '../../ui/badge.tsx';
import { statusLabels, statusTones } from './application-list-query.ts';

export function ApplicationStatusBadge({ status }: { status: ApplicationStatus }) {
  return <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>;
}
