import { type FormEvent, useState } from 'react';
import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import { formatAmount, parseAmount, toMajorUnits } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { TIER_NAME, tierTermsObstacle } from '../../../domain/tiers.ts';
import { api } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { membersText } from './tier-card.tsx';
import { obstacleProblem, type TierField, type TierProblem, tierProblem } from './tier-problem.ts';

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

const EMPTY = {
  short: '',
  name: '',
  description: '',
  price: '',
  glasses: '',
  people: '1',
  guests: '1',
  rollover: '0',
};
type Texts = typeof EMPTY;

const textsOf = (tier: TierSetting | null): Texts =>
  tier
    ? {
        short: tier.tier_name,
        name: tier.display_name,
        description: tier.description,
        price: String(toMajorUnits(tier.monthly_price_cents, site.currency)),
        glasses: String(tier.monthly_pours),
        people: String(tier.people),
        guests: String(tier.guest_glasses),
        rollover: String(tier.rollover_glasses),
      }
    : EMPTY;

function readTerms(texts: Texts) {
  const price = parseAmount(texts.price.trim(), site.currency);
  if (price === null) {
    const text = `Enter a price in ${site.currency.toUpperCase()}, such as 45 or 45.50.`;
    return { problem: { field: 'price', text } as TierProblem };
  }
  const terms = {
    display_name: texts.name.trim(),
    description: texts.description.trim(),
    monthly_price_cents: price,
    monthly_pours: Number(texts.glasses.trim() || Number.NaN),
    people: Number(texts.people),
    guest_glasses: Number(texts.guests.trim() || Number.NaN),
    rollover_glasses: Number(texts.rollover.trim() || Number.NaN),
  };
  if (terms.display_name === '') return { problem: { field: 'name', text: 'Enter a name.' } as TierProblem };
  if (terms.description === '')
    return { problem: { field: 'description', text: 'Enter a description.' } as TierProblem };
  const obstacle = tierTermsObstacle(terms);
  return obstacle ? { problem: obstacleProblem(obstacle) } : { terms };
}

export function TierDialog({ tier, onSaved, onClose }: TierDialogProps) {
  const [texts, setTexts] = useState(() => textsOf(tier));
  const [problem, setProblem] = useState<TierProblem | null>(null);
  const { busy, send } = useSend();
  const read = readTerms(texts);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!tier && !TIER_NAME.test(texts.short)) return setProblem(obstacleProblem('name_not_allowed'));
    const { terms } = read;
    if (!terms) return setProblem(read.problem);
    setProblem(null);
    void send(
      async () => {
        onSaved(
          tier
            ? await api.tierSettings.update({ tier_name: tier.tier_name, ...changedTerms(tier, terms) })
            : await api.tierSettings.add({ tier_name: texts.short, ...terms }),
        );
        toast.success(tier ? `${terms.display_name} was changed` : `${terms.display_name} is on offer`);
        onClose();
      },
      (error) => setProblem(tierProblem(error)),
    );
  };
  const field = (name: keyof Texts, of: TierField) => ({
    name,
    value: texts[name],
    error: problem?.field === of ? problem.text : undefined,
    onChange: ({ target }: { target: { value: string } }) => {
      setTexts((before) => ({ ...before, [name]: target.value }));
      setProblem(null);
    },
  });
  return (
    <FormDialog
      form={{ props: { noValidate: true, onSubmit: save }, busy }}
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
          {...field('short', 'short name')}
        />
      )}
      <TextField label="Name" maxLength={60} {...field('name', 'name')} />
      <TextareaField label="Description" maxLength={300} {...field('description', 'description')} />
      <div className="grid grid-cols-2 items-end gap-4 sm:gap-5">
        <TextField
          label={`Price per Month (${site.currency.toUpperCase()})`}
          inputMode="decimal"
          {...field('price', 'price')}
        />
        <TextField label="Pours per Month" inputMode="numeric" {...field('glasses', 'glasses')} />
      </div>
      {tier && read.terms && <Effect lines={monthEffects(tier, read.terms)} />}
      <SelectField
        label="For"
        options={PEOPLE}
        value={texts.people}
        name="people"
        onChange={({ target }) => setTexts((before) => ({ ...before, people: target.value }))}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Pours for Guests"
          hint="How many pours a member may give to guests each month."
          inputMode="numeric"
          {...field('guests', 'guest glasses')}
        />
        <TextField
          label="Pours That Roll Over"
          hint="The most unused pours that carry over into the next month. 0&nbsp;for&nbsp;none."
          inputMode="numeric"
          {...field('rollover', 'rollover')}
        />
      </div>
      {tier && read.terms && <Effect lines={rolloverEffects(tier, read.terms)} />}
      {problem && !problem.field && (
        <Notice tone="danger" role="alert">
          {problem.text}
        </Notice>
      )}
    </FormDialog>
  );
}

type Terms = NonNullable<ReturnType<typeof readTerms>['terms']>;

/** Only changed fields, so that a colleague's change to another field stays. */
function changedTerms(tier: TierSetting, terms: Terms): Partial<Terms> {
  const entries = Object.entries(terms) as [keyof Terms, string | number][];
  return Object.fromEntries(entries.filter(([name, value]) => tier[name] !== value)) as Partial<Terms>;
}

/** A month keeps the rule it began with, so that no member loses a promised glass. */
function rolloverEffects({ members, rollover_glasses }: TierSetting, terms: Terms): string[] {
  const glasses = terms.rollover_glasses;
  if (glasses === rollover_glasses) return [];
  const whom = members > 0 ? `For ${membersText(members)}, and anyone who joins: ` : '';
  const what =
    glasses === 0
      ? 'no pours roll over'
      : `up to ${pourCount(glasses)} left at the end of a month can be used in the next`;
  const now = rollover_glasses === 0 ? 'rolls over none' : `still rolls over up to ${rollover_glasses}`;
  return [`${whom}${what}, from the month that begins with their next renewal. The current month ${now}.`];
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
