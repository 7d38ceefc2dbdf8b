import { type CSSProperties, useId } from 'react';
import type { SurveyPreferences } from '../../../contract/applications.ts';
import { RATING_DEFAULT, RATING_MAX, RATING_MIN, type SurveyRating } from '../../../domain/application.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { inWords, QUESTIONS, type Question } from './questions.ts';
import type { RatingErrors } from './rating-rules.ts';

interface RatingSlidersProps {
  ratings: SurveyPreferences;
  rated: readonly SurveyRating[];
  errors: RatingErrors;
  onRate: (rating: SurveyRating, value: number) => void;
}

export function RatingSliders({ ratings, rated, errors, onRate }: RatingSlidersProps) {
  return (
    <Card padding="plain" className="divide-y divide-line">
      {QUESTIONS.some(({ rating }) => !rated.includes(rating)) && (
        <p className="px-5 py-3 text-ink-muted text-sm sm:px-7">
          An answer that you leave stays at {RATING_DEFAULT}.
        </p>
      )}
      {QUESTIONS.map((question) => {
        const value = ratings[question.rating];
        const untouched = !rated.includes(question.rating);
        return (
          <div
            key={question.rating}
            className="p-5 sm:p-7 lg:grid lg:grid-cols-[minmax(0,2fr)_minmax(13rem,1fr)] lg:items-center lg:gap-8 lg:py-4"
          >
            <RatingSlider {...{ question, value, untouched, onRate }} error={errors[question.rating]} />
            <div className="mt-4 flex min-h-16 items-center gap-4 lg:mt-0">
              <FillingGlass
                share={untouched ? 0 : value / RATING_MAX}
                drink={question.drink}
                className="h-16 w-auto shrink-0"
              />
              {/* Not a live region: the slider already has the number read out at every step. */}
              {!untouched && <p className="font-title text-brass-text text-lg">{inWords(question, value)}</p>}
            </div>
          </div>
        );
      })}
    </Card>
  );
}

interface RatingSliderProps extends Pick<RatingSlidersProps, 'onRate'> {
  question: Question;
  value: number;
  /** Not set yet: drawn without a fill, until moved or tapped. */
  untouched: boolean;
  error?: string;
}

// A native range input, because screen readers on touch screens cannot move custom ones.
function RatingSlider({ question, value, untouched, error, onRate }: RatingSliderProps) {
  const { rating, label, lowLabel, highLabel } = question;
  const id = useId();
  // The thumb is 44 px wide, so its middle runs from 22 px to 22 px before the end.
  const share = (value - RATING_MIN) / (RATING_MAX - RATING_MIN);
  const filled = `calc(22px + (100% - 44px) * ${share})`;
  return (
    <div className="flex flex-col">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <output
          htmlFor={id}
          aria-hidden="true"
          className={classNames('font-title text-2xl tabular-nums', untouched && 'text-ink-muted')}
        >
          {value}
        </output>
      </div>
      <input
        id={id}
        name={rating}
        type="range"
        {...{ min: RATING_MIN, max: RATING_MAX, value }}
        step={1}
        onChange={(event) => onRate(rating, event.target.valueAsNumber)}
        // A tap on the thumb does not move it, but still counts as an answer.
        onPointerUp={(event) => untouched && onRate(rating, event.currentTarget.valueAsNumber)}
        data-untouched={untouched || undefined}
        aria-valuetext={
          untouched ? `${value} of ${RATING_MAX}, not answered yet` : `${value} of ${RATING_MAX}`
        }
        aria-describedby={error ? `${id}-ends ${id}-error` : `${id}-ends`}
        aria-invalid={error ? true : undefined}
        className="slider"
        style={{ '--filled': filled } as CSSProperties}
      />
      <p id={`${id}-ends`} className="flex justify-between gap-4 text-sm text-ink-muted">
        <span>{lowLabel}</span>
        <span className="sr-only"> to </span>
        <span className="text-right">{highLabel}</span>
      </p>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

interface FillingGlassProps {
  share: number;
  drink: 'brass' | 'red' | 'white';
  className?: string;
}

const drinks = { brass: 'fill-brass', red: 'fill-wine', white: 'fill-elite-ink' };

// The inside of the bowl, from rim to foot.
const rim = 8;
const foot = 50;

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
