import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Taste } from '../../../contract/profile.ts';
import { RATING_DEFAULT, SURVEY_RATINGS, type SurveyRating } from '../../../domain/application.ts';
import { api, orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { RatingSliders } from '../survey/rating-sliders.tsx';

const IN_THE_MIDDLE = Object.fromEntries(
  SURVEY_RATINGS.map((rating) => [rating, RATING_DEFAULT]),
) as Taste['ratings'];

/** The five sliders with the saved answers, and saving new ones. `taste` is null before there are answers. */
export function TasteForm({ taste }: { taste: Taste | null }) {
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
  const rate = (rating: SurveyRating, value: number) => setMoved((known) => ({ ...known, [rating]: value }));

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
