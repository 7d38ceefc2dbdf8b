import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MovePreview, TierSetting } from '../../../contract/staff/tier-settings.ts';
import { formatAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { dateOfInstant } from '../venue-dates.ts';
import { membersText } from './tier-card.tsx';

interface MoveDialogProps {
  tier: TierSetting;
  tiers: TierSetting[];
  onClose: () => void;
}

export function MoveDialog({ tier, tiers, onClose }: MoveDialogProps) {
  const client = useQueryClient();
  const { tier_name } = tier;
  const form = useForm({
    fields: {},
    extra: ['to'],
    values: { to: tier_name },
    onSubmit: async () => {
      if (!data) return;
      const { price_cents } = data;
      const { announced } = await api.tierSettings.move({ tier_name, to, price_cents });
      toast.success(`${membersText(announced)} emailed`);
      await client.invalidateQueries({ queryKey: orpc.tierSettings.key() });
      onClose();
    },
    onError: (error) => {
      void preview.refetch();
      return refusalOf(error, 'PREVIEW_EXPIRED')
        ? 'The price of this tier has just changed. Please review it again.'
        : (serverMessage(error) ??
            'Some members may have been emailed. Try again to email the others: nobody is emailed twice.');
    },
  });
  const { to } = form.values;
  const preview = useQuery(
    orpc.tierSettings.previewMove.queryOptions({ input: { tier_name, to }, staleTime: 0, gcTime: 0 }),
  );
  const options = tiers
    .filter((it) => it.is_active || it.tier_name === tier_name)
    .map((it) => ({
      value: it.tier_name,
      label: it.tier_name === tier_name ? `${it.display_name}, at today’s price` : it.display_name,
    }));
  const data = preview.data;
  return (
    <FormDialog
      form={form}
      title={`Move Members of ${tier.display_name}`}
      onClose={onClose}
      submitLabel={data && data.announced > 0 ? `Email ${membersText(data.announced)}` : 'Nobody to Email'}
      busyLabel="Emailing..."
      disabled={!data || data.announced === 0}
    >
      <SelectField
        label="To"
        options={options}
        {...form.field('to')}
        onChange={({ target }) => {
          form.fail('');
          form.set('to', target.value);
        }}
      />
      <Loaded query={preview} failed="We couldn’t load the members this affects">
        {(moved) => <Preview of={moved} />}
      </Loaded>
    </FormDialog>
  );
}

function Preview({ of }: { of: MovePreview }) {
  const { announced, first_at, last_at, price_cents, monthly_pours } = of;
  const rows: [number, string][] = [
    [of.unchanged, 'pay this price already'],
    [of.already_announced, 'have notice of an earlier move, which stays as it is'],
    [of.not_now, 'left out: their membership ends, a payment is due, or they change tier'],
    [of.at_venue, 'pay at the venue: the till has their price'],
  ];
  const from = first_at && dateOfInstant(first_at);
  const until = last_at && dateOfInstant(last_at);
  return (
    <div role="status" className="flex flex-col gap-2">
      {announced > 0 && (
        <p>
          {membersText(announced)} get an email today, and will pay {formatAmount(price_cents, site.currency)}{' '}
          per month for {pourCount(monthly_pours)} with their first renewal in 30 days or more:{' '}
          {from === until ? `on ${from}` : `between ${from} and ${until}`}. Until then, nothing changes for
          them.
        </p>
      )}
      {announced === 0 && <p>Nobody will get an email.</p>}
      <ul className="text-ink-muted text-sm">
        {rows
          .filter(([count]) => count > 0)
          .map(([count, text]) => (
            <li key={text}>
              {count} {text}
            </li>
          ))}
      </ul>
    </div>
  );
}
