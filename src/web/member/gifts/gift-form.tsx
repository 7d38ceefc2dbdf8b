import { useId, useRef, useState } from 'react';
import { giftFields } from '../../../contract/forms/gift-fields.ts';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { giftConsent } from '../../../domain/consent.ts';
import {
  GIFT_MONTHS,
  type GiftDelivery,
  type GiftMonths,
  giftPrice,
} from '../../../domain/membership/gift.ts';
import { amountWithTax, toMinorUnits } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { GIFT_SENT_AT } from '../../format/gift-text.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choice.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';

const DELIVERIES = [
  { value: 'card', label: 'I’ll print a card', text: 'You can print it once you have paid.' },
  { value: 'email', label: 'Email it for me', text: 'We’ll email it on the day you choose.' },
] as const;

export function GiftForm({ tiers, from }: { tiers: TierDefinition[]; from: string }) {
  const consentId = useId();
  const [tier, setTier] = useState(tiers.find(({ is_featured }) => is_featured) ?? tiers[0]);
  const [months, setMonths] = useState<GiftMonths>(3);
  const [delivery, setDelivery] = useState<GiftDelivery>('card');
  // Sending the same order again returns the same payment page, until the order changes.
  const order = useRef({ key: '', id: '' });
  const form = useForm({
    fields: giftFields,
    values: { send_on: venueToday(), from_name: from },
    alert: (values) => {
      if (delivery === 'card') return null;
      if (!values.recipient_email)
        return { field: 'recipient_email', text: 'Enter their email.', at: 'field' };
      return values.send_on ? null : { field: 'send_on', text: 'Choose a day.', at: 'field' };
    },
    onSubmit: async (input) => {
      const { recipient_email, send_on, ...words } = input;
      if (!tier || !consent) return;
      const draft = {
        ...words,
        tier: tier.tier_name,
        months,
        delivery,
        ...(delivery === 'email' && { recipient_email, send_on }),
        consent_version: consent.version,
      };
      const key = JSON.stringify(draft);
      if (order.current.key !== key) order.current = { key, id: crypto.randomUUID() };
      const { url } = await api.gifts.buy({ ...draft, request_id: order.current.id });
      if (url) window.location.assign(url);
      else form.fail('You’ve already paid for this gift. You’ll find it above.');
    },
    onError: (error) =>
      refusalOf(error, 'CONSENT_OUTDATED')
        ? 'The price has just changed. Please reload the page.'
        : (serverMessage(error) ?? 'Nothing was charged. Please try again.'),
  });
  if (!tier) return <Card>Gift memberships are not available right now.</Card>;
  const cents = giftPrice(toMinorUnits(tier.monthly_price, site.currency), months);
  const price = amountWithTax(cents, site.currency, site.tax_behavior);
  const consent = giftConsent(site, { tier: tier.display_name, months, price });
  return (
    <Card title="Give a Membership">
      <p className="mb-5 text-ink-muted">
        Pay once. The membership starts when they redeem it and never renews.
      </p>
      <form {...form.props} aria-label="Your gift" className="flex flex-col gap-5">
        <fieldset>
          <legend className="mb-1.5 font-semibold text-sm">Delivery</legend>
          <div className="grid gap-2 sm:grid-cols-2 sm:gap-4">
            {DELIVERIES.map(({ value, label, text }) => (
              <Choice
                key={value}
                name="delivery"
                checked={delivery === value}
                onChoose={() => setDelivery(value)}
                label={label}
                notes={[text]}
              />
            ))}
          </div>
        </fieldset>
        {delivery === 'email' && (
          <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
            <TextField label="Their Email" type="email" {...form.field('recipient_email')} optional={false} />
            <TextField
              label="Day"
              type="date"
              hint={GIFT_SENT_AT}
              min={venueToday()}
              {...form.field('send_on')}
              optional={false}
            />
          </div>
        )}
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
          <SelectField
            label="Membership"
            value={tier.tier_name}
            onChange={({ target }) => setTier(tiers.find(({ tier_name }) => tier_name === target.value))}
            options={tiers.map(({ tier_name, display_name, monthly_pours }) => ({
              value: tier_name,
              label: `${display_name}, ${pourCount(monthly_pours)} a month`,
            }))}
          />
          <SelectField
            label="For How Long"
            value={String(months)}
            onChange={({ target }) => setMonths(Number(target.value) as GiftMonths)}
            options={GIFT_MONTHS.map((it) => ({ value: String(it), label: `${it} months` }))}
          />
          <TextField label="Their Name" autoComplete="off" {...form.field('to_name')} />
        </div>
        <TextareaField label="Message" {...form.field('message')} />
        <ConsentText words={consent} id={consentId} />
        <FormError of={form.failure} title="We couldn’t order your gift" />
        <Button
          type="submit"
          size="lg"
          className="sm:self-start"
          busy={form.busy}
          busyLabel="Opening payment..."
          aria-describedby={consentId}
        >
          {`Pay ${price}`}
        </Button>
      </form>
    </Card>
  );
}
