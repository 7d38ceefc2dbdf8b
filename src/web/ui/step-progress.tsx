import { classNames } from './class-names.ts';

interface StepProgressProps {
  steps: readonly string[];
  /** Counted from 1. */
  current: number;
  className?: string;
}

export function StepProgress({ steps, current, className }: StepProgressProps) {
  return (
    <div className={className}>
      <div
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={steps.length}
        aria-valuenow={current}
        aria-valuetext={`Step ${current} of ${steps.length}: ${steps[current - 1] ?? ''}`}
        className="flex gap-2"
      >
        {steps.map((step, index) => (
          <span
            key={step}
            className={classNames(
              'h-1 flex-1 rounded-full transition-colors duration-300',
              index < current ? 'bg-wine' : 'bg-line',
            )}
          />
        ))}
      </div>
      <p className="mt-2.5 flex justify-between gap-4 text-sm" aria-hidden="true">
        <span className="font-medium">{steps[current - 1]}</span>
        <span className="text-ink-muted">
          Step {current} of {steps.length}
        </span>
      </p>
    </div>
  );
}
