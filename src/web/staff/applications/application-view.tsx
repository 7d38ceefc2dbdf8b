import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ReviewedApplication } from '../../../contract/applications.ts';
import { rejectionNotes } from '../../../contract/forms/staff-fields.ts';
import { approvedTier, canReview, isUnfinished } from '../../../domain/application.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { api, orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { priceNote, tierPrice } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useOfficeWindow } from '../../ui/use-media.ts';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { formatDateTime } from '../venue-dates.ts';
import { ApplicationAnswers } from './application-answers.tsx';
import { ApplicationStatusBadge } from './application-status-badge.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { useReloadReviewed } from './use-reload-reviewed.ts';

interface ApplicationViewProps {
  application: ReviewedApplication;
  back: ReactNode;
}

export function ApplicationView({ application, back }: ApplicationViewProps) {
  const { id, applicant, status, preferences, notes, created_at, reviewed_at } = application;
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null);
  const close = () => setDialog(null);
  // The office has Sign Out at the foot of the navigation.
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
          items={[at('Applied', created_at), ...(reviewed_at ? [at('Reviewed', reviewed_at)] : [])]}
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

/** The tier the applicant chose. A deleted tier still shows its name. */
function SelectedTierCard({ tier }: { tier: string | null }) {
  const tier_name = approvedTier(tier);
  const query = useQuery(orpc.tiers.get.queryOptions({ input: { tier_name } }));
  const definition = query.data;
  return (
    <Card>
      <p className="eyebrow text-brass-text">Selected Tier</p>
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-2xl">{definition?.display_name ?? tierLabel(tier_name)}</h2>
        {definition && (
          <p className="text-lg">
            <span className="font-title text-2xl tabular-nums">{tierPrice(definition.monthly_price)}</span>
            <span className="text-ink-muted text-sm"> / month{priceNote && ` ${priceNote}`}</span>
          </p>
        )}
      </div>
      {query.isPending && <Skeleton className="mt-3 h-16" />}
      {definition && (
        <>
          <p className="mt-2">{definition.description}</p>
          <p className="mt-3 flex items-baseline justify-between border-line border-t pt-3">
            <span className="text-ink-muted text-sm">Monthly Pours</span>
            <span className="font-title text-2xl tabular-nums">{definition.monthly_pours}</span>
          </p>
        </>
      )}
    </Card>
  );
}

const at = (term: string, instant: string) => ({
  term,
  detail: <time dateTime={instant}>{formatDateTime(instant)}</time>,
});

function RejectDialog({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const reload = useReloadReviewed();
  const form = useForm({
    fields: { notes: rejectionNotes },
    onSubmit: async ({ notes }) => {
      await api.applications.reject({ id: applicationId, notes: notes || undefined });
      toast.success('Application rejected');
      await reload();
      onClose();
    },
    onError: (error) => {
      logFailure('Rejecting an application', error);
      failureToast('Failed to reject application')(error);
      void reload();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Reject Application"
      width="wide"
      submitLabel="Reject Application"
      tone="danger"
    >
      <TextareaField
        autoFocus
        {...form.field('notes')}
        label="Rejection Notes (Optional)"
        hint="The applicant gets an email and sees the decision on their dashboard, without these notes. Staff see the notes here; the applicant sees them only in a download of their data."
        // The label already says that the field is optional.
        optional={false}
      />
    </FormDialog>
  );
}
