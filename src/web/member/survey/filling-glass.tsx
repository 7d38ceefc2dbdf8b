import { useId } from 'react';
import { classNames } from '../../ui/class-names.ts';

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
export function FillingGlass({ share, drink, className }: FillingGlassProps) {
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
