import type { SharedPour } from '../../../contract/sharing/household.ts';
import { titleCaseLocation } from '../../../domain/club/places.ts';
import { pourCount } from '../../../domain/pour.ts';
import { dateOfInstant, timeOfDay } from '../../format/dates.ts';

/** This month's glasses of each person: 'You 2, Ben 3'. */
export function sharesText(pours: readonly SharedPour[], other: string): string {
  const sum = (person: SharedPour['who']) =>
    pours.reduce((total, it) => total + (it.who === person ? it.quantity : 0), 0);
  const earlierGlasses = sum('former');
  const texts = [
    `You ${sum('you')}`,
    `${other} ${sum('other')}`,
    ...(earlierGlasses > 0 ? [`Before ${earlierGlasses}`] : []),
  ];
  return texts.join(', ');
}

/** This month's pours of both people, newest first. `other` is the first name of the other one. */
export function SharedPours({ pours, other }: { pours: SharedPour[]; other: string }) {
  const names = { you: 'You', other, former: 'Someone who shared before' };
  return (
    <section aria-label="This month" className="mt-5">
      <h3 className="text-lg">This Month</h3>
      {pours.length === 0 ? (
        <p className="mt-1 text-ink-muted">No pours yet.</p>
      ) : (
        <>
          <p className="mt-1 font-semibold">{sharesText(pours, other)}</p>
          <ul className="mt-2 divide-y divide-line">
            {pours.map((pour) => (
              <li key={pour.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
                <span>
                  {names[pour.who]}
                  {pour.guest && ', for a guest'}: {pourCount(pour.quantity)}
                </span>
                <span className="text-ink-muted text-sm">
                  {titleCaseLocation(pour.location)},{' '}
                  <time dateTime={pour.created_at}>
                    {dateOfInstant(pour.created_at)}, {timeOfDay(new Date(pour.created_at))}
                  </time>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
