import { Minus, Plus } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { controlLook, FieldFrame } from '../../../ui/field.tsx';

interface QuantityFieldProps {
  /** As typed; empty while being rewritten. */
  value: string;
  max: number;
  error?: ReactNode;
  disabled?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onValueChange: (value: string) => void;
}

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
            className={classNames(controlLook, 'plain-number text-center font-title text-3xl tabular-nums')}
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
