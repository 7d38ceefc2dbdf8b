import { classNames } from './class-names.ts';

interface ProgressBarProps {
  /** The subject of the measurement, for screen readers. */
  label: string;
  value: number;
  max: number;
  /** Announced instead of the bare number, e.g. '7 of 12 pours left'. */
  valueText?: string;
  tone?: 'accent' | 'brass' | 'positive';
  className?: string;
}

const TONES = { accent: 'bg-wine', brass: 'bg-brass', positive: 'bg-positive-fill' };

export function ProgressBar({ label, value, max, valueText, tone = 'accent', className }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={valueText}
      className={classNames('h-2 overflow-hidden rounded-full bg-line', className)}
    >
      {/* The width is an attribute, since the page's policy forbids styles in the document. */}
      <svg
        aria-hidden="true"
        width={`${share * 100}%`}
        className={classNames('h-full rounded-full transition-[width] duration-500 ease-settle', TONES[tone])}
      />
    </div>
  );
}
