import type { SurveyPreferences } from '../../../contract/applications.ts';
import type { SurveyRating } from '../../../domain/application.ts';
import { Button } from '../../ui/button.tsx';
import type { RatingErrors } from './rating-rules.ts';
import { RatingSliders } from './rating-sliders.tsx';

interface TasteStepProps {
  ratings: SurveyPreferences;
  /** The ratings that the member set; the others look untouched. */
  rated: readonly SurveyRating[];
  errors: RatingErrors;
  busy: boolean;
  onRate: (rating: SurveyRating, value: number) => void;
  onContinue: () => void;
}

export function TasteStep({ ratings, rated, errors, busy, onRate, onContinue }: TasteStepProps) {
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onContinue();
      }}
    >
      <RatingSliders ratings={ratings} rated={rated} errors={errors} onRate={onRate} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-between">
        <Button variant="secondary" disabled>
          Previous
        </Button>
        <Button type="submit" busy={busy} busyLabel="Saving...">
          Continue to Membership Selection
        </Button>
      </div>
    </form>
  );
}
