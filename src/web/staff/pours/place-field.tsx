import { useEffect, useId, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { moveByRow } from '../../ui/move-by-row.ts';
import { SelectField } from '../../ui/select-field.tsx';
import type { FieldAttributes } from '../../ui/use-form.ts';
import { fixedPlace, fixPlace, placeLabel, placeOptions } from './pour-place.ts';

/** Places that fit in one row on a phone. */
const MOST_IN_A_ROW = 4;

interface PlaceFieldProps {
  field: FieldAttributes;
  /** The place of a pour that was already sent. */
  sent: string | undefined;
  disabled: boolean;
}

interface SetPlaceProps {
  place: string;
  disabled: boolean;
  onChange: () => void;
}

/** The place that was set when the form opened. Pressing it shows the others. */
export function SetPlace({ place, disabled, onChange }: SetPlaceProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onChange}
      className="flex flex-col gap-1.5 text-left text-sm disabled:opacity-60"
    >
      <span className="flex justify-between gap-2">
        <span className="font-semibold">Location</span> <span className="text-accent-text">Change</span>
      </span>
      <span className="flex min-h-14 grow flex-col justify-center rounded-md border border-line-strong bg-surface-raised px-2 leading-tight">
        <span className="wrap-anywhere font-semibold">{placeLabel(place)}</span>{' '}
        {place === fixedPlace() && <span className="text-ink-muted text-xs">Always on this device</span>}
      </span>
    </button>
  );
}

/** Where the pour is served: a row of choices, or a list of many. Staff can fix one for every pour of this device. */
export function PlaceField({ field, sent, disabled }: PlaceFieldProps) {
  const options = placeOptions(sent);
  const ref = useRef<HTMLDivElement>(null);
  // The focus follows staff who change a set place: the button that they pressed is gone.
  useEffect(() => ref.current?.querySelector<HTMLElement>('input:checked, [data-chosen]')?.focus(), []);
  return (
    <div ref={ref} className="relative">
      {options.length > MOST_IN_A_ROW ? (
        <SelectField
          label="Location"
          className="[&>label]:mb-3 pinned:[&>label]:mb-2 [&_select]:min-h-14"
          placeholder="Choose"
          options={options}
          disabled={disabled}
          data-chosen={field.value !== '' || undefined}
          {...field}
        />
      ) : (
        <PlaceRow field={field} options={options} disabled={disabled} />
      )}
      <FixPlace place={field.value} disabled={disabled} />
    </div>
  );
}

interface PlaceRowProps {
  field: FieldAttributes;
  options: ReturnType<typeof placeOptions>;
  disabled: boolean;
}

function PlaceRow({ field: { name, value, error, onChange }, options, disabled }: PlaceRowProps) {
  const id = useId();
  return (
    <fieldset disabled={disabled} aria-describedby={error ? id : undefined} className="min-w-0">
      <legend className="mb-3 pinned:mb-1.5 font-semibold text-sm">Location</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the radios */}
      <div className="grid grid-cols-4 gap-2 max-[359px]:grid-cols-2" onKeyDown={moveByRow}>
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              'relative grid min-h-14 pinned:min-h-11 place-items-center rounded-md border px-1 py-1.5 pinned:py-1 text-center text-sm leading-tight pinned:text-[0.8125rem] has-disabled:opacity-60',
              error && 'border-danger!',
              option.value === value
                ? 'border-accent bg-accent-soft font-semibold text-accent-text'
                : 'border-line-strong bg-surface-raised hover:border-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={onChange}
              aria-invalid={error ? true : undefined}
              className="absolute inset-0 cursor-pointer appearance-none rounded-md"
            />
            {option.label}
          </label>
        ))}
      </div>
      {error && (
        <p id={id} className="mt-1.5 font-medium text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Beside the label, so that the form is no longer than a phone. */
function FixPlace({ place, disabled }: { place: string; disabled: boolean }) {
  const [fixed, setFixed] = useState(fixedPlace);
  if (!place) return null;
  const isFixed = place === fixed;
  const toggle = () => {
    const next = isFixed ? '' : place;
    fixPlace(next);
    setFixed(next);
  };
  return (
    <label className="target absolute -top-3 right-0 flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-accent"
        checked={isFixed}
        disabled={disabled}
        onChange={toggle}
      />
      Always on this device
    </label>
  );
}
