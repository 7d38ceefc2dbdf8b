interface ChoiceProps {
  /** The name of the radio group: arrow keys move within it. */
  name: string;
  checked: boolean;
  onChoose: () => void;
  label: string;
  detail?: string;
  notes?: readonly string[];
}

export function Choice({ name, checked, onChoose, label, detail, notes = [] }: ChoiceProps) {
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-line bg-surface px-4 py-2.5 has-checked:border-accent has-checked:bg-accent-soft">
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="size-5 shrink-0 accent-accent"
      />
      <span className="flex flex-1 flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{label}</span>
        {detail && <span className="text-ink-muted text-sm tabular-nums">{detail}</span>}
        {notes.map((line) => (
          <span key={line} className="w-full text-ink-muted text-sm">
            {line}
          </span>
        ))}
      </span>
    </label>
  );
}
