import type { SurveyPreferences } from '../../../contract/applications.ts';
import type { SurveyRating } from '../../../domain/application.ts';
import { RATING_MAX, RATING_MIN } from '../../../domain/application.ts';
import { Card } from '../../ui/card.tsx';
import { Slider } from '../../ui/slider.tsx';
import { FillingGlass } from './filling-glass.tsx';
import { inWords, QUESTIONS } from './questions.ts';
import type { RatingErrors } from './rating-rules.ts';

interface RatingSlidersProps {
  ratings: SurveyPreferences;
  /** The ratings that the member set; the others look untouched. */
  rated: readonly SurveyRating[];
  errors: RatingErrors;
  onRate: (rating: SurveyRating, value: number) => void;
}

export function RatingSliders({ ratings, rated, errors, onRate }: RatingSlidersProps) {
  return (
    <Card padding="plain" className="divide-y divide-line">
      {QUESTIONS.map((question) => {
        const value = ratings[question.rating];
        const untouched = !rated.includes(question.rating);
        return (
          <div
            key={question.rating}
            className="p-5 sm:p-7 lg:grid lg:grid-cols-[minmax(0,2fr)_minmax(13rem,1fr)] lg:items-center lg:gap-8 lg:py-4"
          >
            <Slider
              label={question.label}
              name={question.rating}
              value={value}
              untouched={untouched}
              onValueChange={(chosen) => onRate(question.rating, chosen)}
              min={RATING_MIN}
              max={RATING_MAX}
              lowLabel={question.lowLabel}
              highLabel={question.highLabel}
              error={errors[question.rating]}
            />
            <div className="mt-4 flex min-h-16 items-center gap-4 lg:mt-0">
              <FillingGlass
                share={untouched ? 0 : value / RATING_MAX}
                drink={question.drink}
                className="h-16 w-auto shrink-0"
              />
              {/* Not a live region: the slider already has the number read out at every step. */}
              <p className={untouched ? 'text-ink-muted' : 'font-title text-brass-text text-lg'}>
                {untouched
                  ? `Not answered yet. It stays at ${value} if you leave it.`
                  : inWords(question, value)}
              </p>
            </div>
          </div>
        );
      })}
    </Card>
  );
}
