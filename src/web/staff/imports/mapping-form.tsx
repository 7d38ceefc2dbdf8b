import { type FormEvent, useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import {
  type DateOrder,
  FIELD_LABELS,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
  mappingProblem,
} from '../../../domain/imports/import-fields.ts';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useImportAction } from './use-imports.ts';

const HINTS: Partial<Record<ImportField, string>> = {
  full_name: 'Instead of first and last name',
  payment_reference: 'From your point of sale: creates a membership billed at the venue',
  glasses_left: 'In the current month',
};

/** Assigns columns to fields. The choice is remembered for the next file. */
export function MappingForm({ of: it }: { of: MemberImport }) {
  const [mapping, setMapping] = useState<ImportMapping>(it.mapping);
  const [order, setOrder] = useState<DateOrder>(it.date_order);
  const [problem, setProblem] = useState<string | null>(null);
  const check = useImportAction(api.imports.check, 'The file could not be checked. Please try again.');
  const columns = it.columns.map((name, index) => ({
    value: String(index),
    label: name || `Column ${index + 1}`,
  }));
  const choose = (field: ImportField, value: string) => {
    const { [field]: _, ...others } = mapping;
    setMapping(value === '' ? others : { ...others, [field]: Number(value) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = mappingProblem(mapping, it.columns.length);
    setProblem(wrong);
    if (!wrong) void check.run({ id: it.id, mapping, date_order: order });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {IMPORT_FIELDS.map((field) => (
          <SelectField
            key={field}
            id={`column-of-${field}`}
            label={FIELD_LABELS[field]}
            hint={HINTS[field]}
            value={String(mapping[field] ?? '')}
            onChange={(event) => choose(field, event.target.value)}
            options={[{ value: '', label: 'Not in the file' }, ...columns]}
          />
        ))}
        <SelectField
          id="date-order"
          label="3/4/2020 is in"
          value={order}
          onChange={(event) => setOrder(event.target.value as DateOrder)}
          options={[
            { value: 'month_first', label: 'March' },
            { value: 'day_first', label: 'April' },
          ]}
        />
      </div>
      {problem && <FormError of={{ text: problem, times: 1 }} />}
      <Button
        type="submit"
        variant="secondary"
        className="self-start"
        busy={check.busy}
        busyLabel="Checking..."
      >
        Check Again
      </Button>
    </form>
  );
}
