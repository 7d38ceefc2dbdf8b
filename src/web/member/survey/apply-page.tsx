import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { Card } from '../../ui/card.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { StepProgress } from '../../ui/step-progress.tsx';
import { BackToDashboard } from './back-to-dashboard.tsx';
import { STEP_NAMES, Survey } from './survey.tsx';

export function ApplyPage({ userId }: { userId: string }) {
  // Another tab may have saved since, so the survey waits for a fresh response.
  const { data, error, isFetchedAfterMount } = useQuery({
    ...orpc.members.getOwn.queryOptions(),
    refetchOnMount: 'always',
  });
  // A former member starts from their last answers, or without them if they cannot be loaded.
  const isReturning = data?.membership_ever === true && data.application === null;
  const taste = useQuery({ ...orpc.profile.getTaste.queryOptions(), enabled: isReturning });
  useEffect(() => {
    if (error) logFailure('Loading the saved survey', error);
  }, [error]);

  if (data?.customer?.status === 'active') return <Navigate to="/dashboard" replace />;
  if ((isFetchedAfterMount || error) && !(isReturning && taste.isPending)) {
    return (
      <Survey
        application={data?.application ?? null}
        lastAnswers={(isReturning && taste.data?.ratings) || null}
        userId={userId}
      />
    );
  }
  return (
    <PageShell title="Your Membership" width="wide" back={<BackToDashboard />}>
      <StepProgress steps={STEP_NAMES} current={1} />
      <Card>
        <SkeletonLines lines={8} />
      </Card>
    </PageShell>
  );
}
