import type { CSSProperties } from 'react';
import { useId } from 'react';
import { classNames } from './class-names.ts';

interface SliderProps {
  label: string;
  value: number;
  onValueChange: (value: number) => void;
  /** Not set yet: drawn without a fill, until moved or tapped. */
  untouched?: boolean;
  min?: number;
  max?: number;
  /** The two ends, e.g. 'Beginner' and 'Expert'. */
  lowLabel: string;
  highLabel: string;
  name?: string;
  error?: string;
}

// A native range input, because screen readers on touch screens cannot move custom ones.
export function Slider({
  label,
  value,
  onValueChange,
  untouched,
  min = 1,
  max = 10,
  lowLabel,
  highLabel,
  error,
  ...input
}: SliderProps) {
  const id = useId();
  // The thumb is 44 px wide, so its middle runs from 22 px to 22 px before the end.
  const share = (value - min) / (max - min);
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
        {...input}
        id={id}
        type="range"
        {...{ min, max, value }}
        step={1}
        onChange={(event) => onValueChange(event.target.valueAsNumber)}
        // A tap on the thumb does not move it, but still counts as an answer.
        onPointerUp={(event) => untouched && onValueChange(event.currentTarget.valueAsNumber)}
        data-untouched={untouched || undefined}
        aria-valuetext={untouched ? `${value} of ${max}, not answered yet` : `${value} of ${max}`}
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
