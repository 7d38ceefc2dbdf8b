import { useState } from 'react';
import { isReportRange, type ReportRange } from '../../../domain/reports/report-range.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { presets } from './report-search.ts';

interface RangePickerProps {
  range: ReportRange;
  today: string;
  onChange: (range: ReportRange) => void;
}

const OTHER = 'Other days';

export function RangePicker({ range, today, onChange }: RangePickerProps) {
  const [typed, setTyped] = useState(range);
  const [lastRange, setLastRange] = useState(range);
  const [isOther, setIsOther] = useState(false);
  if (lastRange !== range) {
    setLastRange(range);
    setTyped(range);
  }
  const wrong = !isReportRange(typed);
  const type = (day: Partial<ReportRange>) => {
    const next = { ...typed, ...day };
    setTyped(next);
    if (next.from && next.to && isReportRange(next)) onChange(next);
  };
  const choices = presets(today);
  const preset = choices.find((it) => it.range.from === range.from && it.range.to === range.to);
  const choose = (label: string) => {
    const chosen = choices.find((it) => it.label === label);
    setIsOther(!chosen);
    if (chosen) onChange(chosen.range);
  };
  // A phone has no room for days that nobody asked for.
  const days = isOther || !preset ? '' : 'pinned:hidden';
  return (
    <fieldset className="grid grid-cols-2 items-start gap-3 max-[22rem]:grid-cols-1 sm:flex">
      <legend className="sr-only">Days</legend>
      <SelectField
        label="Period"
        className="max-sm:col-span-full"
        options={[...choices.map(({ label }) => label), OTHER].map((label) => ({ value: label, label }))}
        value={isOther || !preset ? OTHER : preset.label}
        onChange={({ target }) => choose(target.value)}
      />
      <TextField
        label="From"
        type="date"
        className={days}
        value={typed.from}
        max={today}
        onChange={(event) => type({ from: event.target.value })}
      />
      <TextField
        label="To"
        type="date"
        className={days}
        value={typed.to}
        error={wrong ? 'Choose a day after the first, within five years' : undefined}
        onChange={(event) => type({ to: event.target.value })}
      />
    </fieldset>
  );
}
