import { useQuery } from '@tanstack/react-query';
import type { SurveyPreferences } from '../../../contract/applications.ts';
import type { SurveyRating } from '../../../domain/application.ts';
import { RATING_MAX } from '../../../domain/application.ts';
import { orpc } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { inWords, QUESTIONS } from './questions.ts';

const names: Record<SurveyRating, string> = {
  wine_knowledge: 'Knowledge',
  drinking_frequency: 'Frequency',
  red_wine_preference: 'Reds',
  white_wine_preference: 'Whites',
  adventurousness: 'Adventure',
};

/** The member's survey answers as a chart; nothing before they have answered. */
export function TasteCard() {
  const { data: taste } = useQuery({
    ...orpc.profile.getTaste.queryOptions(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!taste) return null;
  return (
    <Card title="Your Taste">
      <TasteChart taste={taste} />
    </Card>
  );
}

/** A table for screen readers, drops of wine for the eye. */
export function TasteChart({ taste }: { taste: SurveyPreferences }) {
  return (
    <table className="w-full table-fixed border-collapse">
      <caption className="visually-hidden">Your wine survey answers, from 1 to {RATING_MAX}</caption>
      <tbody className="divide-y divide-line">
        {QUESTIONS.map((question) => {
          const value = taste[question.rating];
          return (
            <tr key={question.rating} className="group">
              <th
                scope="row"
                className="w-3/5 py-3 pr-4 text-left align-top group-first:pt-0 group-last:pb-0"
              >
                <span className="block font-semibold">{names[question.rating]}</span>
                <span className="block font-normal text-ink-muted text-sm">{inWords(question, value)}</span>
              </th>
              <td className="py-4 align-top group-first:pt-1 group-last:pb-0">
                <Drops value={value} white={question.drink !== 'red'} />
                <VisuallyHidden>
                  {value} of {RATING_MAX}
                </VisuallyHidden>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const apart = 14;

function Drops({ value, white }: { value: number; white: boolean }) {
  return (
    <svg
      viewBox={`0 0 ${RATING_MAX * apart} ${apart}`}
      aria-hidden="true"
      className="ml-auto w-full max-w-40"
      strokeWidth="1.25"
    >
      {Array.from({ length: RATING_MAX }, (_, drop) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: a drop is its place in the row
          key={drop}
          cx={drop * apart + apart / 2}
          cy={apart / 2}
          r={drop < value ? 5 : 4.4}
          className={classNames(
            drop < value ? (white ? 'fill-brass' : 'fill-wine') : 'fill-none stroke-line-strong',
          )}
        />
      ))}
    </svg>
  );
}
