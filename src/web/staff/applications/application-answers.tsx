import type { StoredPreferences } from '../../../contract/applications.ts';
import { RATING_MAX, SURVEY_RATINGS, type SurveyRating } from '../../../domain/application.ts';
import { classNames } from '../../ui/class-names.ts';
import { DescriptionList } from '../../ui/description-list.tsx';

const RATING_LABELS: Record<SurveyRating, string> = {
  wine_knowledge: 'Wine knowledge',
  drinking_frequency: 'How often',
  red_wine_preference: 'Red wines',
  white_wine_preference: 'White wines',
  adventurousness: 'Adventurous',
};

interface ApplicationAnswersProps {
  preferences: StoredPreferences | null;
  /** The ratings that the applicant set; null if unknown. */
  rated: readonly SurveyRating[] | null;
}

/** The survey's ratings as bars, and the answers of a paper form as text. An application has one or the other. */
export function ApplicationAnswers({ preferences, rated: choices }: ApplicationAnswersProps) {
  const answers = preferences ?? {};
  const wines = Array.isArray(answers.wineTypes) ? answers.wineTypes.join(', ') : answers.wineTypes;
  const written = [
    { term: 'Wine Preferences', detail: wines },
    { term: 'Tasting Notes', detail: answers.tastingNotes },
    { term: 'Visit Frequency', detail: answers.visitFrequency },
  ];
  const rated = SURVEY_RATINGS.filter((rating) => answers[rating] !== undefined);
  return (
    <div className="flex flex-col gap-6">
      {rated.length > 0 && (
        <dl className="grid gap-3">
          {rated.map((rating) => (
            <RatingRow
              key={rating}
              label={RATING_LABELS[rating]}
              value={answers[rating] ?? 0}
              asOffered={choices !== null && !choices.includes(rating)}
            />
          ))}
        </dl>
      )}
      <DescriptionList
        layout="stacked"
        items={[
          ...written.map(({ term, detail }) => ({ term, detail: detail || 'Not specified' })),
          { term: 'Additional Comments', detail: answers.comments || 'No additional comments' },
        ]}
      />
    </div>
  );
}

function RatingRow({ label, value, asOffered }: { label: string; value: number; asOffered: boolean }) {
  return (
    <div className="grid grid-cols-[7.5rem_1fr_4rem] items-center gap-3">
      <dt className="text-ink-muted text-sm">{label}</dt>
      <dd className="contents">
        <span aria-hidden="true" className="flex h-4 gap-1">
          {Array.from({ length: RATING_MAX }, (_, step) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place on the scale
              key={step}
              className={classNames(
                'flex-1 rounded-sm',
                step >= value ? 'bg-line' : asOffered ? 'bg-line-strong' : 'bg-accent',
              )}
            />
          ))}
        </span>
        <span className="whitespace-nowrap text-right text-sm tabular-nums">
          {value} of {RATING_MAX}
        </span>
        {asOffered && (
          <span className="-mt-2 col-span-2 col-start-2 text-ink-muted text-sm">Left as offered</span>
        )}
      </dd>
    </div>
  );
}
