import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Taste } from '../../../contract/profile.ts';
import { RATING_DEFAULT, SURVEY_RATINGS, type SurveyRating } from '../../../domain/application.ts';
import { api, orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { RatingSliders } from '../survey/rating-sliders.tsx';
import { PalateCard } from '../wines/palate-card.tsx';
import { WineTabs } from '../wines/wine-tabs.tsx';

export default function TastePage() {
  const me = useQuery(orpc.members.getOwn.queryOptions());
  const taste = useQuery(orpc.profile.getTaste.queryOptions());
  const lead = taste.data ? `Last changed ${dateOfInstant(taste.data.changed_at)}.` : '\u00a0';
  return (
    <PageShell title="My Taste" lead={taste.data === null ? 'Not answered yet.' : lead} back={<WineTabs />}>
      <Loaded query={me} card lines={8} failed="We couldn’t load your taste">
        {({ customer, application }) => (
          <Loaded query={taste} card lines={8} failed="We couldn’t load your taste">
            {(answers) =>
              application || !customer ? (
                <AnswerInSurvey started={application !== null} />
              ) : (
                <>
                  <TasteForm taste={answers} />
                  <PalateCard />
                </>
              )
            }
          </Loaded>
        )}
      </Loaded>
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

const IN_THE_MIDDLE = Object.fromEntries(
  SURVEY_RATINGS.map((rating) => [rating, RATING_DEFAULT]),
) as Taste['ratings'];

function TasteForm({ taste }: { taste: Taste | null }) {
  const client = useQueryClient();
  const saved = taste?.ratings ?? null;
  const [moved, setMoved] = useState<Partial<Taste['ratings']>>({});
  const ratings = { ...(saved ?? IN_THE_MIDDLE), ...moved };
  const changed = saved === null || SURVEY_RATINGS.some((rating) => ratings[rating] !== saved[rating]);
  const { busy, send } = useSend();
  const save = () =>
    send(
      async () => {
        client.setQueryData(orpc.profile.getTaste.queryKey(), await api.profile.updateTaste(ratings));
        setMoved({});
        toast.success('Taste saved');
      },
      failureToast('We couldn’t save your taste', 'Please try again.'),
    );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed) void save();
  };
  const rate = (rating: SurveyRating, value: number) => setMoved((rest) => ({ ...rest, [rating]: value }));

  return (
    <form aria-label="Your taste" className="flex flex-col gap-6" onSubmit={submit}>
      <RatingSliders
        ratings={ratings}
        rated={saved ? SURVEY_RATINGS : SURVEY_RATINGS.filter((rating) => moved[rating] !== undefined)}
        errors={{}}
        onRate={rate}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-56 text-ink-muted text-sm">
          Our staff see these answers when they choose what to pour for you.
        </p>
        <Button type="submit" disabled={!changed} busy={busy} busyLabel="Saving...">
          Save Taste
        </Button>
      </div>
    </form>
  );
}
