import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadError } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { PalateCard } from '../wines/palate-card.tsx';
import { WineTabs } from '../wines/wine-tabs.tsx';
import { TasteForm } from './taste-form.tsx';

export function TastePage() {
  const me = useQuery(orpc.members.getOwn.queryOptions());
  const taste = useQuery(orpc.profile.getTaste.queryOptions());
  const failed = [me, taste].find(({ isError }) => isError);

  const content = () => {
    if (me.data && taste.data !== undefined) {
      const { customer, application } = me.data;
      if (application || !customer) return <AnswerInSurvey started={application !== null} />;
      return (
        <>
          <TasteForm taste={taste.data} />
          <PalateCard />
        </>
      );
    }
    if (!failed) {
      return (
        <Card>
          <SkeletonLines lines={8} />
        </Card>
      );
    }
    return <LoadError query={failed} title="We couldn’t load your taste" />;
  };
  const lead = taste.data ? `Last changed ${dateOfInstant(taste.data.changed_at)}.` : '\u00a0';
  return (
    <PageShell title="My Taste" lead={taste.data === null ? 'Not answered yet.' : lead} back={<WineTabs />}>
      {content()}
    </PageShell>
  );
}

/** Without a membership, and while an application is pending, the answers belong to the application. */
function AnswerInSurvey({ started }: { started: boolean }) {
  return (
    <Card>
      <EmptyState
        picture={<EmptyGlassPicture />}
        title={started ? 'Your taste is part of your application' : 'Tell us about your taste'}
        text={
          started
            ? 'You can change it there until your membership begins.'
            : 'Five questions, when you choose your membership.'
        }
        action={
          <LinkButton to="/apply">{started ? 'Go to My Application' : 'Choose a Membership'}</LinkButton>
        }
      />
    </Card>
  );
}
