import { type FormEvent, useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import {
  type DateOrder,
  FIELD_LABELS,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
  mappingProblem,
  type TierNames,
} from '../../../domain/imports/import-fields.ts';
import { api } from '../../api/client.ts';
import { useTierNames } from '../../api/use-tier-names.ts';
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
  const [tiers, setTiers] = useState<TierNames>({});
  const clubTiers = useTierNames();
  const [problem, setProblem] = useState<string | null>(null);
  const check = useImportAction(api.imports.check, 'We couldn’t check the file. Please try again.');
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
    if (!wrong)
      void check.run({ id: it.id, mapping, date_order: order, tier_names: { ...it.tier_names, ...tiers } });
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
      {Object.keys(it.tier_names).length > 0 && (
        <fieldset className="border-line border-t pt-5">
          <legend className="sr-only">Tiers in the file</legend>
          <p className="mb-4">You have no tiers with these names. Choose which of yours each one becomes.</p>
          <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            {Object.entries(it.tier_names).map(([name, tier]) => (
              <SelectField
                key={name}
                id={`tier-named-${name}`}
                label={`“${name}”`}
                value={(name in tiers ? tiers[name] : tier) ?? ''}
                onChange={(event) => setTiers({ ...tiers, [name]: event.target.value || null })}
                options={[
                  { value: '', label: 'Not imported' },
                  ...clubTiers.map(({ tier_name, display_name }) => ({
                    value: tier_name,
                    label: display_name,
                  })),
                ]}
              />
            ))}
          </div>
        </fieldset>
      )}
      {problem && <FormError of={{ text: problem, times: 1 }} />}
      <Button
        type="submit"
        variant="secondary"
        className="self-start"
        busy={check.busy}
        busyLabel="Checking..."
      >
        {it.status === 'uploading' ? 'Check the File' : 'Check Again'}
      </Button>
    </form>
  );
}
