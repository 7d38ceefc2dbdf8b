import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ReviewedApplication } from '../../../contract/applications.ts';
import { canReview, isUnfinished } from '../../../domain/application.ts';
import { formatDateTime } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useOfficeWindow } from '../../ui/use-media.ts';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { ApplicationAnswers } from './application-answers.tsx';
import { ApplicationStatusBadge } from './application-status-badge.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { SelectedTierCard } from './selected-tier-card.tsx';

interface ApplicationViewProps {
  application: ReviewedApplication;
  back: ReactNode;
}

export function ApplicationView({ application, back }: ApplicationViewProps) {
  const { id, applicant, status, preferences, notes, created_at, reviewed_at } = application;
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null);
  const close = () => setDialog(null);
  // The office has its own at the foot of the navigation.
  const office = useOfficeWindow();

  return (
    <PageShell
      title={`${applicant.first_name} ${applicant.last_name}`}
      back={back}
      actions={office ? undefined : <StaffSignOut />}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ApplicationStatusBadge application={application} />
          <a href={`mailto:${applicant.email}`} className="link">
            {applicant.email}
          </a>
          {applicant.phone && (
            <a href={`tel:${applicant.phone}`} className="link">
              {applicant.phone}
            </a>
          )}
        </span>
      }
    >
      {isUnfinished(application) && (
        <Notice tone="warning" title="This application is unfinished">
          The applicant stopped after the first step and has not chosen a tier.
        </Notice>
      )}
      <SelectedTierCard tier={application.selected_tier} />
      <Card title="Application Details">
        <ApplicationAnswers preferences={preferences} rated={application.rated} />
      </Card>
      {notes && (
        <Card title="Staff Notes">
          <p className="whitespace-pre-line">{notes}</p>
        </Card>
      )}
      <Card>
        <DescriptionList
          items={[
            { term: 'Applied', detail: <time dateTime={created_at}>{formatDateTime(created_at)}</time> },
            ...(reviewed_at
              ? [
                  {
                    term: 'Reviewed',
                    detail: <time dateTime={reviewed_at}>{formatDateTime(reviewed_at)}</time>,
                  },
                ]
              : []),
          ]}
        />
      </Card>
      {status === 'approved' && (
        <LinkButton
          to="/staff/customers/$id"
          params={{ id: application.user_id }}
          variant="secondary"
          className="self-start"
        >
          Open Their Page
        </LinkButton>
      )}
      {canReview(status) && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Button size="lg" block className="min-h-16" onClick={() => setDialog('approve')}>
            Approve Application
          </Button>
          <Button
            size="lg"
            variant="secondary"
            block
            className="min-h-16"
            onClick={() => setDialog('reject')}
          >
            Reject Application
          </Button>
        </div>
      )}
      {dialog === 'approve' && <ApproveDialog application={application} onClose={close} />}
      {dialog === 'reject' && <RejectDialog applicationId={id} onClose={close} />}
    </PageShell>
  );
}
