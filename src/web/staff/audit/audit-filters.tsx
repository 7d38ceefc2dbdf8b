import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import type { AuditEntry, AuditFilter } from '../../../contract/staff/audit.ts';
import { AUDIT, AUDIT_ACTS } from '../../../domain/staff/audit.ts';
import { orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isDay } from './audit-search.ts';
import { nameOf } from './name-of.ts';

const ACTS = [
  { value: '', label: 'Everything' },
  ...AUDIT_ACTS.map((value) => ({ value, label: AUDIT[value].label })),
];

/** `entries`: those shown now, which include names of former team members. */
export function AuditFilters({ filter, entries }: { filter: AuditFilter; entries: AuditEntry[] }) {
  const navigate = useNavigate({ from: '/staff/audit' });
  const { data: team = [] } = useQuery(orpc.team.list.queryOptions());
  const change = (part: AuditFilter) =>
    navigate({
      search: (before) => {
        const next = Object.entries({ ...before, ...part }).filter(([, value]) => value);
        return Object.fromEntries(next);
      },
      replace: true,
    });

  const people = [
    { value: '', label: 'Everyone' },
    { value: 'command_line', label: 'Command line' },
    { value: 'automatic', label: 'Automatic' },
    ...team.map((it) => ({ value: it.user_id, label: `${it.first_name} ${it.last_name}`.trim() })),
  ];
  if (filter.who && !people.some(({ value }) => value === filter.who)) {
    const actor = entries.find(({ actor }) => actor?.user_id === filter.who)?.actor;
    people.push({ value: filter.who, label: actor ? nameOf(actor) : 'Someone else' });
  }
  const subject = entries.find((entry) => entry.subject?.user_id === filter.whom)?.subject;

  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1 lying:grid-cols-4 lg:grid-cols-4">
        <SelectField
          label="Who"
          options={people}
          value={filter.who ?? ''}
          onChange={(event) => void change({ who: event.target.value })}
        />
        <SelectField
          label="What"
          options={ACTS}
          value={filter.what ?? ''}
          onChange={(event) =>
            void change({ what: (event.target.value || undefined) as AuditFilter['what'] })
          }
        />
        <DayField label="From" day={filter.from ?? ''} onDay={(from) => void change({ from })} />
        <DayField label="To" day={filter.to ?? ''} onDay={(to) => void change({ to })} />
      </div>
      {filter.whom && (
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          icon={<X size={16} aria-hidden="true" />}
          onClick={() => void change({ whom: undefined })}
        >
          Only what was done to {subject ? nameOf(subject) : 'one account'}
        </Button>
      )}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  /** YYYY-MM-DD; empty for none. */
  day: string;
  onDay: (day: string) => void;
}

/** While a year is typed, browsers report years such as 0202: these stay in the field and filter nothing. */
function DayField({ label, day, onDay }: DayFieldProps) {
  const [typed, setTyped] = useState({ day, text: day });
  const type = (text: string) => {
    const counts = text === '' || isDay(text);
    setTyped({ day: counts ? text : day, text });
    if (counts) onDay(text);
  };
  return (
    <TextField
      label={label}
      type="date"
      min="2000-01-01"
      max="2999-12-31"
      value={typed.day === day ? typed.text : day}
      onChange={(event) => type(event.target.value)}
    />
  );
}
