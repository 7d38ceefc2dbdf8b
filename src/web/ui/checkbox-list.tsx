import type { ReactNode } from 'react';

interface CheckboxListProps<Value extends string> {
  legend: string;
  values: readonly Value[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
  label: (value: Value) => ReactNode;
}

export function CheckboxList<Value extends string>(props: CheckboxListProps<Value>) {
  const { legend, values, chosen, onChange, label } = props;
  const toggle = (value: Value) =>
    onChange(chosen.includes(value) ? chosen.filter((it) => it !== value) : [...chosen, value]);
  return (
    <fieldset>
      <legend className="mb-1 font-semibold text-sm">{legend}</legend>
      {values.map((value) => (
        <label key={value} className="target flex items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-accent"
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
          />
          <span>{label(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}
