import GripVertical from 'lucide-react/icons/grip-vertical';
import X from 'lucide-react/icons/x';
import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import {
  BENEFIT_UNITS,
  type BenefitUnit,
  MAX_BENEFIT_LENGTH,
  MAX_BENEFITS,
} from '../../../domain/membership/benefit.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useReorder } from '../wines/use-reorder.ts';

/** A row of the form. */
interface BenefitDraft {
  /** Marks the row; of a saved benefit, its id. */
  key: string;
  words: string;
  every: BenefitUnit | '';
  number: string;
  isNew?: true;
}

const UNIT_LABELS: Record<BenefitUnit, string> = {
  month: 'a month',
  quarter: 'a quarter',
  year: 'a year',
  once: 'once',
};
const UNITS = [
  { value: '', label: 'Not counted' },
  ...BENEFIT_UNITS.map((value) => ({ value, label: UNIT_LABELS[value] })),
];

const parse = (text: string): BenefitDraft[] => (text === '' ? [] : JSON.parse(text));

/** The form's text of a tier's benefits. */
export const benefitsInForm = (benefits: TierSetting['benefits']): string =>
  JSON.stringify(
    benefits.map(({ id, words, every, number }): BenefitDraft => {
      return { key: id, words, every: every ?? '', number: number === null ? '' : String(number) };
    }),
  );

/** What the form's text says, to be sent. */
export const readBenefits = (text: string) =>
  parse(text).map(({ key, isNew, words, every, number }) => ({
    ...(!isNew && { id: key }),
    words: words.trim(),
    every: every || null,
    number: every === '' ? null : Number(number.trim() || Number.NaN),
  }));

interface BenefitFieldsProps {
  /** The form's text. */
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** The benefits of a tier, one row each. */
export function BenefitFields({ value, error, onChange }: BenefitFieldsProps) {
  const drafts = parse(value);
  const save = (next: BenefitDraft[]) => onChange(JSON.stringify(next));
  const change = (key: string, to: Partial<BenefitDraft>) =>
    save(drafts.map((it) => (it.key === key ? { ...it, ...to } : it)));
  const inOrder = (keys: readonly string[]) => keys.flatMap((key) => drafts.filter((it) => it.key === key));
  const { list, order, dragging, handle } = useReorder(
    drafts.map(({ key }) => key),
    (keys) => save(inOrder(keys)),
  );
  const add = () =>
    save([...drafts, { key: crypto.randomUUID(), words: '', every: '', number: '1', isNew: true }]);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="font-semibold text-sm">Benefits</legend>
      <p className="text-ink-muted text-sm">
        What it gives beside the pours, in a few words each: “10&nbsp;% off bottles to take home”. Counted
        ones are taken at the scan.
      </p>
      <ul ref={list} className="flex flex-col gap-3 empty:hidden sm:gap-2">
        {inOrder(order).map(({ key, words, every, number, isNew }, at) => (
          <li
            key={key}
            className={classNames(
              'grid grid-cols-[auto_1fr_auto] items-center gap-x-1 gap-y-2 rounded-md sm:grid-cols-[auto_1fr_auto_auto]',
              dragging === key && 'bg-surface-sunken',
            )}
          >
            <button
              type="button"
              aria-label={`Move benefit ${at + 1} of ${drafts.length}. Use the arrow keys`}
              className="-ml-3 grid size-11 shrink-0 cursor-grab touch-none place-items-center rounded-full text-ink-muted hover:text-ink"
              {...handle(key)}
            >
              <GripVertical size={20} />
            </button>
            <TextField
              label={`Benefit ${at + 1}`}
              labelHidden
              autoFocus={isNew && words === ''}
              maxLength={MAX_BENEFIT_LENGTH}
              value={words}
              onChange={({ target }) => change(key, { words: target.value })}
            />
            <div className="col-start-2 row-start-2 flex gap-1 sm:col-start-3 sm:row-start-1">
              {every !== '' && (
                <TextField
                  label={`How many of benefit ${at + 1}`}
                  labelHidden
                  className="w-16"
                  inputMode="numeric"
                  maxLength={2}
                  value={number}
                  onChange={({ target }) => change(key, { number: target.value })}
                />
              )}
              <SelectField
                label={`Benefit ${at + 1} is counted`}
                labelHidden
                className="w-40"
                options={UNITS}
                value={every}
                onChange={({ target }) => change(key, { every: target.value as BenefitUnit | '' })}
              />
            </div>
            <IconButton
              label={`Remove benefit ${at + 1}`}
              icon={<X size={20} />}
              className="-mr-2"
              onClick={() => save(drafts.filter((it) => it.key !== key))}
            />
          </li>
        ))}
      </ul>
      {error && <p className="font-medium text-danger text-sm">{error}</p>}
      {drafts.length < MAX_BENEFITS && (
        <Button variant="quiet" size="sm" className="-mx-3 self-start" onClick={add}>
          Add Benefit
        </Button>
      )}
    </fieldset>
  );
}
