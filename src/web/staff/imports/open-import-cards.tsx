import { type FormEvent, type ReactNode, useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import type { NameOrder } from '../../../domain/imports/full-name.ts';
import {
  type DateOrder,
  FIELD_LABELS,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
  mappingProblem,
  type TierNames,
} from '../../../domain/imports/import-fields.ts';
import { api, orpc } from '../../api/client.ts';
import { useTierNames } from '../../api/use-tier-names.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { useAct } from '../use-act.ts';
import { AdoptionCards } from './adoption-cards.tsx';
import { DiscardButton } from './discard-button.tsx';
import { FirstRowsCard } from './first-rows-card.tsx';
import { ImportRows } from './import-rows.tsx';
import { countOf } from './import-text.ts';

const STEP_TEXT = {
  reading: 'Reading',
  checking: 'Checking',
  importing: 'Importing',
  undoing: 'Undoing',
} as const;
const STRIPE_STEP_TEXT = { ...STEP_TEXT, importing: 'Taking Over', undoing: 'Giving Back' } as const;

/** `children`: how the file was read, if this page has read it. */
export function OpenImportCards({ of: it, children }: { of: MemberImport; children: ReactNode }) {
  const { status } = it;
  if (status in STEP_TEXT) return <WorkingCard of={it} />;
  if (it.source === 'stripe') return <AdoptionCards of={it} />;
  return (
    <>
      {status === 'checked' && <PreviewCard of={it} />}
      {status === 'checked' && it.ready_rows > 0 && <FirstRowsCard of={it} />}
      {(status === 'uploading' || status === 'checked') && <ColumnsCard of={it}>{children}</ColumnsCard>}
      {status === 'checked' && it.ready_rows < it.total_rows && (
        <Card title="Rows That Are Not Imported" padding="plain" className="overflow-clip">
          <ImportRows of={it} which="problems" caption="Rows that are not imported" />
        </Card>
      )}
    </>
  );
}

function WorkingCard({ of: it }: { of: MemberImport }) {
  const [texts, things] =
    it.source === 'stripe' ? ([STRIPE_STEP_TEXT, 'subscriptions'] as const) : ([STEP_TEXT, 'rows'] as const);
  const verb = texts[it.status as keyof typeof STEP_TEXT];
  const isReading = it.status === 'reading';
  const far = isReading
    ? `${it.total_rows.toLocaleString('en-US')} so far`
    : `${it.done_rows.toLocaleString('en-US')} of ${it.total_rows.toLocaleString('en-US')} ${things}`;
  return (
    <Card
      title={
        <>
          {verb} <span className="inline-block">{it.file_name}</span>
        </>
      }
      aside={isReading && <DiscardButton of={it} />}
    >
      <div className="flex flex-col gap-3">
        {!isReading && <ProgressBar label={verb} value={it.done_rows} max={it.total_rows} valueText={far} />}
        <p className="text-ink-muted text-sm">
          {far}. You can leave this page. This runs in the background and does not slow down pouring.
        </p>
      </div>
    </Card>
  );
}

function ColumnsCard({ of: it, children }: { of: MemberImport; children: ReactNode }) {
  return (
    <Card title="Columns" aside={<DiscardButton of={it} />}>
      <div className="flex flex-col gap-5">
        {it.status === 'uploading' && (
          <Notice tone="warning" title={`${countOf(it.total_rows, 'row')} of ${it.file_name} arrived`}>
            Match the columns below, then check the file. Rows missing? Discard it and upload it again.
          </Notice>
        )}
        {children}
        <MappingForm key={it.id} of={it} />
      </div>
    </Card>
  );
}

function PreviewCard({ of: it }: { of: MemberImport }) {
  const [asking, setAsking] = useState(false);
  const wrong = it.total_rows - it.ready_rows;
  const members = countOf(it.ready_rows, 'member');
  return (
    <>
      <Card title="What Will Happen">
        <div className="flex flex-col gap-5">
          <div className="grid gap-3 sm:grid-cols-3">
            <StatTile label="To import" value={it.ready_rows.toLocaleString('en-US')} />
            <StatTile
              label="Billed at the venue"
              value={it.venue_rows.toLocaleString('en-US')}
              note="Others have no membership until they pay"
            />
            <StatTile
              label="Not imported"
              value={wrong.toLocaleString('en-US')}
              note="Listed below, with the reason"
            />
          </div>
          <Button
            className="self-start"
            disabled={it.ready_rows === 0}
            onClick={() => setAsking(true)}
          >{`Import ${countOf(it.ready_rows, 'Member')}`}</Button>
        </div>
      </Card>
      {asking && (
        <ActDialog
          tone="primary"
          title={`Import ${members}?`}
          description="Nobody is charged, and nobody gets an email. You can undo it for 30 days."
          confirmLabel="Import"
          busyLabel="Starting..."
          act={async () => void (await api.imports.start({ id: it.id }))}
          failed="We couldn’t start the import. Please try again."
          reload={orpc.imports.key()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

const HINTS: Partial<Record<ImportField, string>> = {
  full_name: 'Instead of first and last name',
  payment_reference: 'From your point of sale: creates a membership billed at the venue',
  paid_until: 'The first day that is not paid, at the venue',
  glasses_left: 'In the current month',
};

/** Assigns columns to fields. The choice is remembered for the next file. */
function MappingForm({ of: it }: { of: MemberImport }) {
  const [mapping, setMapping] = useState<ImportMapping>(it.mapping);
  const [order, setOrder] = useState<DateOrder>(it.date_order);
  const [names, setNames] = useState<NameOrder>(it.name_order);
  const [tiers, setTiers] = useState<TierNames>({});
  const clubTiers = useTierNames();
  const [problem, setProblem] = useState<string | null>(null);
  const check = useAct('We couldn’t check the file. Please try again.', orpc.imports.key());
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
    if (wrong) return;
    const tier_names = { ...it.tier_names, ...tiers };
    void check.act(() =>
      api.imports.check({ id: it.id, mapping, date_order: order, name_order: names, tier_names }),
    );
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
        {mapping.full_name !== undefined && (
          <SelectField
            id="name-order"
            label="Full names have"
            hint="Where no comma says so"
            value={names}
            onChange={(event) => setNames(event.target.value as NameOrder)}
            options={[
              { value: 'first_last', label: 'First name first' },
              { value: 'last_first', label: 'Last name first' },
            ]}
          />
        )}
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
