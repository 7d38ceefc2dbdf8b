import type { StoredPreferences } from '../../../contract/applications.ts';
import type { SurveyRating } from '../../../domain/application.ts';
import { RATING_MAX, SURVEY_RATINGS } from '../../../domain/application.ts';
import { DescriptionList } from '../../ui/description-list.tsx';

const RATING_LABELS: Record<SurveyRating, string> = {
  wine_knowledge: 'Wine knowledge',
  drinking_frequency: 'How often',
  red_wine_preference: 'Red wines',
  white_wine_preference: 'White wines',
  adventurousness: 'Adventurous',
};

/** The survey's ratings as bars, and the answers of a paper form as text. An application has one or the other. */
export function ApplicationAnswers({ preferences }: { preferences: StoredPreferences | null }) {
  const answers = preferences ?? {};
  const wines = Array.isArray(answers.wineTypes) ? answers.wineTypes.join(', ') : answers.wineTypes;
  const rated = SURVEY_RATINGS.filter((rating) => answers[rating] !== undefined);
  return (
    <div className="flex flex-col gap-6">
      {rated.length > 0 && (
        <dl className="grid gap-3">
          {rated.map((rating) => (
            <RatingRow key={rating} label={RATING_LABELS[rating]} value={answers[rating] ?? 0} />
          ))}
        </dl>
      )}
      <DescriptionList
        layout="stacked"
        items={[
          { term: 'Wine Preferences', detail: wines || 'Not specified' },
          { term: 'Tasting Notes', detail: answers.tastingNotes || 'Not specified' },
          { term: 'Visit Frequency', detail: answers.visitFrequency || 'Not specified' },
          { term: 'Additional Comments', detail: answers.comments || 'No additional comments' },
        ]}
      />
    </div>
  );
}

function RatingRow({ label, value }: { label: string; value: number }) {
  return (
    <div className="grid grid-cols-[7.5rem_1fr_4rem] items-center gap-3">
      <dt className="text-ink-muted text-sm">{label}</dt>
      <dd className="contents">
        <span aria-hidden="true" className="flex h-4 gap-1">
          {Array.from({ length: RATING_MAX }, (_, step) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place on the scale
              key={step}
              className={step < value ? 'flex-1 rounded-sm bg-accent' : 'flex-1 rounded-sm bg-line'}
            />
          ))}
        </span>
        <span className="whitespace-nowrap text-right text-sm tabular-nums">
          {value} of {RATING_MAX}
        </span>
      </dd>
    </div>
  );
}
