import { Minus, Plus } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { FieldFrame } from '../../ui/field.tsx';

interface QuantityFieldProps {
  /** As typed; empty while being rewritten. */
  value: string;
  max: number;
  error?: ReactNode;
  disabled?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onValueChange: (value: string) => void;
}

const box =
  'plain-number block min-h-16 w-full min-w-0 rounded-md border border-line-strong bg-surface-raised text-center font-title text-4xl text-ink lining-nums tabular-nums hover:border-ink focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60';

const step =
  'grid size-16 shrink-0 place-items-center rounded-md border border-line-strong bg-surface text-ink hover-ready:border-ink disabled:opacity-40';

/** A number with a thumb-sized step on either side. */
export function QuantityField({ value, max, error, disabled, inputRef, onValueChange }: QuantityFieldProps) {
  const number = Number.parseInt(value, 10) || 0;
  return (
    <FieldFrame label="Quantity" error={error}>
      {(control) => (
        <div className="flex items-stretch gap-2">
          <button
            type="button"
            aria-label="One fewer"
            className={step}
            disabled={disabled || number <= 1}
            onClick={() => onValueChange(String(number - 1))}
          >
            <Minus size={26} aria-hidden="true" />
          </button>
          <input
            {...control}
            ref={inputRef}
            type="number"
            inputMode="numeric"
            min={1}
            max={max}
            step={1}
            disabled={disabled}
            value={value}
            onChange={(event) => onValueChange(event.target.value)}
            className={box}
          />
          <button
            type="button"
            aria-label="One more"
            className={step}
            disabled={disabled || number >= max}
            onClick={() => onValueChange(String(number + 1))}
          >
            <Plus size={26} aria-hidden="true" />
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
