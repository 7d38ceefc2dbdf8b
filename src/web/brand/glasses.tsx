import { MAX_GLASSES_IN_ROW, MAX_LARGE_GLASSES } from '../../domain/pour.ts';
import { classNames } from '../ui/class-names.ts';

interface GlassesProps {
  available: number;
  max: number;
  className?: string;
}

const BOWL = 'M6.5 3h11c1 8-1.3 12-5.5 12S5.5 11 6.5 3Z';

function Glass({ full, className }: { full: boolean; className?: string }) {
  return (
    <svg
      viewBox="4 2 16 24"
      fill="none"
      strokeWidth="1.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={classNames(full ? 'stroke-wine' : 'stroke-line-strong', className)}
    >
      {full && <path d="M6.3 7h11.4c.2 5-1.8 8-5.7 8S6.1 12 6.3 7Z" className="fill-wine" stroke="none" />}
      <path d={BOWL} />
      <path d="M12 15v9M7.5 25c1.5-.6 3-.9 4.5-.9s3 .3 4.5.9" />
    </svg>
  );
}

export function Glasses({ available, max, className }: GlassesProps) {
  const full = Math.max(0, Math.min(available, max));
  const label = `${available} of ${max} pours left`;
  if (max > MAX_GLASSES_IN_ROW) {
    return (
      <p className={classNames('flex items-center gap-2', className)}>
        <Glass full={full > 0} className="h-9 w-auto" />
        <span className="sr-only">{label}</span>
        <span aria-hidden="true" className="font-title text-lg tabular-nums">
          × {available}
        </span>
      </p>
    );
  }
  const style = classNames('mr-3 mb-2.5 inline-block w-auto', max <= MAX_LARGE_GLASSES ? 'h-9' : 'h-7');
  return (
    <div
      role="img"
      aria-label={label}
      className={classNames('-mr-3 -mb-2.5 text-balance leading-none', className)}
    >
      {Array.from({ length: max }, (_, glass) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a glass is its place in the row
        <Glass key={glass} full={glass < full} className={style} />
      ))}
    </div>
  );
}
