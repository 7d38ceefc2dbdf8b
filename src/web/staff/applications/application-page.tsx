import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isUuid } from '../../../domain/uuid.ts';
import { orpc, refusalOf } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvelopePicture, TippedGlassPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { PageSpinner } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast.ts';
import { ApplicationView } from './application-view.tsx';

const back = <BackLink to="/staff/applications">Back to Applications</BackLink>;

export default function ApplicationPage() {
  const { id } = useParams({ from: '/_staff/staff/applications/$id' });
  const isValidId = isUuid(id);
  const query = useQuery({ ...orpc.applications.get.queryOptions({ input: { id } }), enabled: isValidId });
  const missing = !isValidId || refusalOf(query.error, 'NOT_FOUND') !== null;
  const failure = missing ? null : query.error;
  useEffect(() => {
    if (!failure) return;
    logFailure('Loading an application', failure);
    toast.error('Failed to load application details', { of: failure });
  }, [failure]);

  if (!missing && query.data) return <ApplicationView application={query.data} back={back} />;
  if (!missing && !failure) return <PageSpinner />;
  return (
    <PageShell title="Application" back={back}>
      <Card>
        {missing ? (
          <EmptyState
            picture={<EnvelopePicture />}
            title="Application not found"
            action={
              <LinkButton to="/staff/applications" variant="secondary">
                Back to Applications
              </LinkButton>
            }
          />
        ) : (
          <EmptyState
            picture={<TippedGlassPicture />}
            title="We couldn’t load this application"
            action={
              <Button variant="secondary" busy={query.isFetching} onClick={() => query.refetch()}>
                Try Again
              </Button>
            }
          />
        )}
      </Card>
    </PageShell>
  );
}
