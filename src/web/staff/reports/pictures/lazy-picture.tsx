import { lazy, Suspense } from 'react';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { PictureProps } from './picture.tsx';

// The chart library is loaded on this page only, in parallel with the figures.
const Picture = lazy(() => import('./picture.tsx'));

export function LazyPicture(props: PictureProps) {
  return (
    <>
      <Suspense fallback={<Skeleton className="h-72 rounded-lg sm:h-80" />}>
        <Picture {...props} />
      </Suspense>
      {props.series.length > 1 && (
        <ul className="mt-3 flex flex-wrap justify-center gap-x-5 gap-y-1 text-ink-muted text-sm">
          {props.series.map(({ key, label, color }) => (
            <li key={key} className="flex items-center gap-2">
              <span className="size-3 rounded-sm" style={{ backgroundColor: color }} />
              {label}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The colors differ in lightness as well as in hue, for every kind of color vision, and for print. */
const COLORS = [1, 2, 3, 4, 5, 6].map((number) => `var(--color-chart-${number})`);

export const colorOf = (place: number): string => COLORS[place % COLORS.length] ?? 'var(--color-chart-1)';
