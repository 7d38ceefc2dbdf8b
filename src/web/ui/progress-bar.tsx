interface ProgressBarProps {
  label: string;
  value: number;
  max: number;
  valueText?: string;
}

export function ProgressBar({ label, value, max, valueText }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={valueText}
      className="h-2 overflow-hidden rounded-full bg-line"
    >
      {/* The width is an attribute, since the page's policy forbids styles in the document. */}
      <svg
        aria-hidden="true"
        width={`${share * 100}%`}
        className="h-full rounded-full bg-wine transition-[width] duration-500 ease-settle"
      />
    </div>
  );
}
