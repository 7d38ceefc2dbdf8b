import { useId } from 'react';
import type { SurveyPreferences } from '../../../contract/applications.ts';
import { RATING_MAX, RATING_MIN, type SurveyRating } from '../../../domain/application.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Slider } from '../../ui/slider.tsx';
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

interface FillingGlassProps {
  /** 0 to 1. */
  share: number;
  drink: 'brass' | 'red' | 'white';
  className?: string;
}

const drinks = { brass: 'fill-brass', red: 'fill-wine', white: 'fill-elite-ink' };

// The inside of the bowl, from rim to foot.
const rim = 8;
const foot = 50;

/** An answer as a glass that fills as the slider moves. */
function FillingGlass({ share, drink, className }: FillingGlassProps) {
  const bowl = useId();
  const level = foot - (foot - rim - 6) * Math.min(Math.max(share, 0), 1);
  return (
    <svg viewBox="0 0 56 96" fill="none" aria-hidden="true" className={className}>
      <clipPath id={bowl}>
        <path d="M12 6h32c3.5 28-2 44-16 44S8.5 34 12 6Z" />
      </clipPath>
      <g clipPath={`url(#${bowl})`}>
        <rect
          x="4"
          y="0"
          width="48"
          height="60"
          className={classNames(drinks[drink], 'transition-transform duration-300 ease-settle')}
          style={{ transform: `translateY(${level}px)` }}
        />
      </g>
      <path
        d="M12 6h32c3.5 28-2 44-16 44S8.5 34 12 6ZM28 50v36M14 88.5c5-1.8 9-2.5 14-2.5s9 .7 14 2.5"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-line-strong"
      />
    </svg>
  );
}
