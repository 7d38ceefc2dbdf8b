import * as z from 'zod/mini';
import { tierWords } from '../../../contract/forms/staff-fields.ts';
import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import { formatAmount, parseAmount, toMajorUnits } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { monthsFreeText, TIER_NAME, tierTermsObstacle, yearPriceObstacle } from '../../../domain/tiers.ts';
import { api } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { BenefitFields, benefitsInForm, readBenefits } from './benefit-fields.tsx';
import { membersText } from './tier-card.tsx';
import { obstacleProblem, type TierProblem, tierProblem } from './tier-problem.ts';

interface TierDialogProps {
  /** Null to add one. */
  tier: TierSetting | null;
  onSaved: (tiers: TierSetting[]) => void;
  onClose: () => void;
}

const PEOPLE = [
  { value: '1', label: 'One person' },
  { value: '2', label: 'Two people who share the pours' },
];

const FIELDS = {
  display_name: tierWords.display_name.check(z.minLength(1, 'Enter a name.')),
  description: tierWords.description.check(z.minLength(1, 'Enter a description.')),
};
const EXTRA = ['short', 'price', 'year', 'glasses', 'people', 'guests', 'rollover', 'benefits'] as const;
type Texts = Record<keyof typeof FIELDS | (typeof EXTRA)[number], string>;

const textsOf = (tier: TierSetting | null): Partial<Texts> =>
  tier
    ? {
        short: tier.tier_name,
        display_name: tier.display_name,
        description: tier.description,
        price: String(toMajorUnits(tier.monthly_price_cents, site.currency)),
        year:
          tier.yearly_price_cents === null
            ? ''
            : String(toMajorUnits(tier.yearly_price_cents, site.currency)),
        glasses: String(tier.monthly_pours),
        people: String(tier.people),
        guests: String(tier.guest_glasses),
        rollover: String(tier.rollover_glasses),
        benefits: benefitsInForm(tier.benefits),
      }
    : { people: '1', guests: '1', rollover: '0' };

function readTerms(texts: Texts) {
  const price = parseAmount(texts.price.trim(), site.currency);
  const year = texts.year.trim() === '' ? null : parseAmount(texts.year.trim(), site.currency);
  const text = `Enter a price in ${site.currency.toUpperCase()}, such as 45 or 45.50.`;
  if (price === null) return { problem: { field: 'price', text } as TierProblem };
  if (year === null && texts.year.trim() !== '') return { problem: { field: 'year', text } as TierProblem };
  const terms = {
    display_name: texts.display_name.trim(),
    description: texts.description.trim(),
    monthly_price_cents: price,
    yearly_price_cents: year,
    monthly_pours: Number(texts.glasses.trim() || Number.NaN),
    people: Number(texts.people),
    guest_glasses: Number(texts.guests.trim() || Number.NaN),
    rollover_glasses: Number(texts.rollover.trim() || Number.NaN),
    benefits: readBenefits(texts.benefits),
  };
  const obstacle = tierTermsObstacle(terms) ?? yearPriceObstacle(terms);
  return obstacle ? { problem: obstacleProblem(obstacle) } : { terms };
}

export function TierDialog({ tier, onSaved, onClose }: TierDialogProps) {
  const form = useForm({
    fields: FIELDS,
    extra: EXTRA,
    values: textsOf(tier),
    alert: (texts) => {
      const isNamed = tier || TIER_NAME.test(texts.short);
      const problem = isNamed ? readTerms(texts).problem : obstacleProblem('name_not_allowed');
      return problem?.field ? { ...problem, field: problem.field, at: 'field' } : null;
    },
    onSubmit: async () => {
      const { terms } = readTerms(form.values);
      if (!terms) return;
      onSaved(
        tier
          ? await api.tierSettings.update({ tier_name: tier.tier_name, ...changedTerms(tier, terms) })
          : await api.tierSettings.add({ tier_name: form.values.short, ...terms }),
      );
      toast.success(tier ? `${terms.display_name} was changed` : `${terms.display_name} is on offer`);
      onClose();
    },
    onError: (error) => {
      const { field, text } = tierProblem(error);
      return field ? { [field]: text } : text;
    },
  });
  const read = readTerms(form.values);
  return (
    <FormDialog
      form={form}
      title={tier ? `Edit ${tier.display_name}` : 'Add a Tier'}
      submitLabel={tier ? 'Save' : 'Add Tier'}
      busyLabel="Saving..."
      onClose={onClose}
      width="wide"
    >
      {!tier && (
        <TextField
          label="Short Name"
          hint="In URLs and exports, such as grand_cru. It never changes."
          maxLength={30}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.field('short')}
        />
      )}
      <TextField label="Name" {...form.field('display_name')} />
      <TextareaField label="Description" {...form.field('description')} />
      <div className="grid grid-cols-2 items-end gap-4 sm:gap-5">
        <TextField
          label={`Price per Month (${site.currency.toUpperCase()})`}
          inputMode="decimal"
          {...form.field('price')}
        />
        <TextField label="Pours per Month" inputMode="numeric" {...form.field('glasses')} />
      </div>
      <TextField
        label={`Price of a Year (${site.currency.toUpperCase()})`}
        hint={yearHint(read.terms)}
        inputMode="decimal"
        {...form.field('year')}
      />
      {tier && read.terms && <Effect lines={monthEffects(tier, read.terms)} />}
      <SelectField label="For" options={PEOPLE} {...form.field('people')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Pours for Guests"
          hint="How many pours a member may give to guests each month."
          inputMode="numeric"
          {...form.field('guests')}
        />
        <TextField
          label="Pours That Roll Over"
          hint="The most unused pours that carry over into the next month. 0&nbsp;for&nbsp;none."
          inputMode="numeric"
          {...form.field('rollover')}
        />
      </div>
      {tier && read.terms && <Effect lines={rolloverEffects(tier, read.terms)} />}
      <BenefitFields
        value={form.values.benefits}
        error={form.field('benefits').error}
        onChange={(value) => form.set('benefits', value)}
      />
      {tier && read.terms && <Effect lines={benefitEffects(tier, read.terms)} />}
    </FormDialog>
  );
}

type Terms = NonNullable<ReturnType<typeof readTerms>['terms']>;

/** Only changed fields, so that a colleague's change to another field stays. */
function changedTerms(tier: TierSetting, terms: Terms): Partial<Terms> {
  const entries = Object.entries(terms) as [keyof Terms, Terms[keyof Terms]][];
  const isChanged = ([name, value]: [keyof Terms, unknown]) =>
    JSON.stringify(tier[name]) !== JSON.stringify(value);
  return Object.fromEntries(entries.filter(isChanged)) as Partial<Terms>;
}

/** What the price of a year saves, once both prices are read. */
function yearHint(terms: Terms | undefined): string {
  const saved =
    terms?.yearly_price_cents && monthsFreeText(terms.yearly_price_cents, terms.monthly_price_cents);
  return `Paid once, for twelve months; ends by itself. Empty for none.${saved ? ` ${saved}.` : ''}`;
}

/** A month keeps the rule it began with, so that no member loses a promised glass. */
function rolloverEffects({ members, rollover_glasses }: TierSetting, terms: Terms): string[] {
  const glasses = terms.rollover_glasses;
  if (glasses === rollover_glasses) return [];
  const whom = members > 0 ? `For ${membersText(members)}, and anyone who joins: ` : '';
  const rule =
    glasses === 0
      ? 'no pours roll over'
      : `up to ${pourCount(glasses)} left at the end of a month can be used in the next`;
  const now = rollover_glasses === 0 ? 'rolls over none' : `still rolls over up to ${rollover_glasses}`;
  return [`${whom}${rule}, from the month that begins with their next renewal. The current month ${now}.`];
}

/** A window keeps the most that it gave, so that no member loses what they were promised. */
function benefitEffects({ members, benefits }: TierSetting, terms: Terms): string[] {
  const isLess = benefits.some(({ id, every, number }) => {
    const after = terms.benefits.find((it) => it.id === id && it.every === every);
    return every !== null && (after?.number ?? 0) < (number ?? 0);
  });
  if (!isLess || members === 0) return [];
  return [`${membersText(members)} keep what they have now until their month, quarter or year is over.`];
}

/** What a new price or number of pours means. */
function monthEffects({ members, ...tier }: TierSetting, terms: Terms): string[] {
  const amount = formatAmount(terms.monthly_price_cents, site.currency);
  const changesPrice = terms.monthly_price_cents !== tier.monthly_price_cents;
  return [
    changesPrice && `Anyone who joins or switches to this tier from now on pays ${amount} per month.`,
    changesPrice &&
      members > 0 &&
      `${membersText(members)} keep the price they pay. After saving, Move Members can move them to ${amount}. They’ll get an email at least 30 days before.`,
    terms.monthly_pours > tier.monthly_pours &&
      members > 0 &&
      `${membersText(members)} will have ${pourCount(terms.monthly_pours)} a month right away, at the price they pay.`,
  ].filter((line) => line !== false);
}

/** Stands below the fields that it is about, so that it is seen without scrolling. */
function Effect({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <Notice role="status" title="What this changes">
      {lines.map((line) => (
        <p key={line} className="mt-1">
          {line}
        </p>
      ))}
    </Notice>
  );
}
