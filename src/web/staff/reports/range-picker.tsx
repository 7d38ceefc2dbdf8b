import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isReportRange, type ReportRange } from '../../../domain/reports/report-range.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { TextField } from '../../ui/text-field.tsx';
import { presets } from './report-search.ts';

interface RangePickerProps {
  range: ReportRange;
  /** The current day at the venue. */
  today: string;
  onChange: (range: ReportRange) => void;
}

/** The days of the reports: a preset range, or a first and a last day. Both are in the URL. */
export function RangePicker({ range, today, onChange }: RangePickerProps) {
  const [typed, setTyped] = useState(range);
  const [shown, setShown] = useState(range);
  if (shown !== range) {
    setShown(range);
    setTyped(range);
  }
  const wrong = !isReportRange(typed);
  const type = (day: Partial<ReportRange>) => {
    const next = { ...typed, ...day };
    setTyped(next);
    if (next.from && next.to && isReportRange(next)) onChange(next);
  };
  return (
    <fieldset className="flex flex-wrap items-end gap-x-6 gap-y-3">
      <legend className="visually-hidden">Days</legend>
      <div className="flex flex-wrap gap-1">
        {presets(today).map((preset) => {
          const isChosen = preset.range.from === range.from && preset.range.to === range.to;
          return (
            <Link
              key={preset.label}
              to="/staff/reports"
              search={(search) => ({ ...search, ...preset.range })}
              aria-current={isChosen ? 'true' : undefined}
              className={buttonStyle({ variant: isChosen ? 'primary' : 'quiet', size: 'sm' })}
            >
              {preset.label}
            </Link>
          );
        })}
      </div>
      <div className="grid grid-cols-2 items-start gap-3 max-sm:w-full sm:flex">
        <TextField
          label="From"
          type="date"
          value={typed.from}
          max={today}
          onChange={(event) => type({ from: event.target.value })}
        />
        <TextField
          label="To"
          type="date"
          value={typed.to}
          error={wrong ? 'Choose a day after the first, within five years' : undefined}
          onChange={(event) => type({ to: event.target.value })}
        />
      </div>
    </fieldset>
  );
}
