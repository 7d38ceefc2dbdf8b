import type { ReviewedApplication } from '../../../contract/applications.ts';
import { approvedTier } from '../../../domain/application.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { dateOfInstant } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { ApplicationStatusBadge } from './application-status-badge.tsx';

export function ApplicationCard({ application }: { application: ReviewedApplication }) {
  const { applicant, selected_tier, created_at, reviewed_at } = application;
  const name = `${applicant.first_name} ${applicant.last_name}`;
  return (
    <li>
      <Card className="flex flex-col gap-3">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="break-words text-xl">{name}</h2>
            <p className="truncate text-ink-muted text-sm">{applicant.email}</p>
          </div>
          <div className="shrink-0 max-sm:[&>span]:flex-col max-sm:[&>span]:items-end">
            <ApplicationStatusBadge application={application} />
          </div>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted text-sm">
            <TierBadge tier={approvedTier(selected_tier)} />
            <span>Applied {dateOfInstant(created_at)}</span>
            {reviewed_at && <span>Reviewed {dateOfInstant(reviewed_at)}</span>}
          </div>
          <LinkButton
            to="/staff/applications/$id"
            params={{ id: application.id }}
            variant="secondary"
            className="max-sm:w-full"
          >
            View Details<VisuallyHidden> of {name}</VisuallyHidden>
          </LinkButton>
        </div>
      </Card>
    </li>
  );
}
