import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { reason } from '../../../contract/forms/pour-fields.ts';
import { referenceNumber } from '../../../contract/forms/staff-fields.ts';
import { day } from '../../../contract/forms/text-field.ts';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { addDays, addMonths } from '../../../domain/calendar.ts';
import { HOUSE_MONTHS } from '../../../domain/membership/on-the-house.ts';
import { toMinorUnits } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { inTime, isTimeout } from '../../api/in-time.ts';
import { site } from '../../api/site.ts';
import { priceNote, tierPrice, yearCents } from '../../format/money.ts';
import { peopleNote, rolloverNote } from '../../format/tier-holds.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import {
  amountAlert,
  PAYMENT_EXTRA,
  PaymentFields,
  paymentValues,
  readPayment,
} from '../dues/payment-fields.tsx';
import { refreshMembers } from '../refresh-members.ts';
import type { ChosenPerson } from './person-step.tsx';

interface MembershipStepProps {
  person: ChosenPerson;
  /** As asked for on the member's page. */
  onTheHouse: boolean;
  onBack: () => void;
  /** Called with the link for the code. */
  onPhone: (applicationId: string, url: string) => void;
  onVenue: (customerId: string) => void;
}

export function MembershipStep(props: MembershipStepProps) {
  const query = useQuery({
    ...orpc.tiers.list.queryOptions(),
    queryFn: ({ signal }) => api.tiers.list(undefined, inTime(signal)),
    staleTime: 60_000,
  });
  return (
    <Loaded query={query} failed="We couldn’t load the tiers" card lines={6}>
      {(tiers) =>
        tiers.length > 0 ? (
          <MembershipForm {...props} tiers={tiers} />
        ) : (
          <Card>
            <EmptyState picture={<EmptyGlassPicture />} title="No tier is on offer right now" />
          </Card>
        )
      }
    </Loaded>
  );
}

type Way = 'phone' | 'venue' | 'house';

function MembershipForm({
  person,
  onTheHouse,
  onBack,
  onPhone,
  onVenue,
  tiers,
}: MembershipStepProps & { tiers: TierDefinition[] }) {
  const client = useQueryClient();
  const first = tiers.find((it) => it.is_featured) ?? tiers[0];
  const [tier, setTier] = useState(first?.tier_name ?? '');
  const chosen = tiers.find(({ tier_name }) => tier_name === tier);
  const price_cents = chosen && toMinorUnits(chosen.monthly_price, site.currency);
  const byPhone = site.payments === 'on';
  const [way, setWay] = useState<Way>(onTheHouse ? 'house' : byPhone ? 'phone' : 'venue');
  const group = useId();
  const form = useForm({
    fields: { toast_reference_number: referenceNumber, ends_on: day, reason },
    extra: PAYMENT_EXTRA,
    values: paymentValues(price_cents),
    alert: (values) => (way === 'venue' ? amountAlert(values) : null),
    onSubmit: async (input) => {
      const { user_id, first_name, last_name, email } = person;
      const signUp = await api.barSignUps.create(
        {
          person: user_id ? { user_id } : { first_name, last_name, email },
          tier,
          ...(way === 'house' && { house: { ends_on: input.ends_on, reason: input.reason } }),
          ...(way === 'venue' && {
            toast_reference_number: input.toast_reference_number,
            ...readPayment(form.values),
          }),
        },
        inTime(),
      );
      refreshMembers(client);
      void client.invalidateQueries({ queryKey: orpc.applications.key() });
      if (signUp.link) onPhone(signUp.application_id, signUp.link.url);
      else if (signUp.customer_id) onVenue(signUp.customer_id);
    },
    onError: (error) =>
      serverMessage(error) ??
      (isTimeout(error)
        ? 'The sign-up may have started: look up their email again before you repeat it.'
        : 'We couldn’t start the sign-up. Please try again.'),
  });
  const heading = useRef<HTMLLegendElement>(null);
  useEffect(
    () => heading.current?.parentElement?.querySelector<HTMLInputElement>('input:checked')?.focus(),
    [],
  );

  return (
    <Card>
      <form {...form.props} className="flex flex-col gap-6">
        <fieldset className="flex flex-col gap-2">
          <legend ref={heading} className="mb-2 font-semibold">
            Membership
          </legend>
          {tiers.map(
            ({ tier_name, display_name, monthly_price, monthly_pours, people, rollover_glasses }) => (
              <Choice
                key={tier_name}
                name={`${group}tier`}
                checked={tier === tier_name}
                onChoose={() => setTier(tier_name)}
                label={display_name}
                detail={`${tierPrice(monthly_price)} a month${priceNote ? ` ${priceNote}` : ''}`}
                notes={[`${pourCount(monthly_pours)}${peopleNote(people)}${rolloverNote(rollover_glasses)}`]}
              />
            ),
          )}
        </fieldset>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-semibold">Payment</legend>
          {byPhone && (
            <Choice
              name={`${group}way`}
              checked={way === 'phone'}
              onChoose={() => setWay('phone')}
              label="Pay on their phone"
              notes={['They scan a code, then agree and pay on their phone']}
            />
          )}
          <Choice
            name={`${group}way`}
            checked={way === 'venue'}
            onChoose={() => setWay('venue')}
            label="Paid at the till"
            notes={['Billed at the venue each month']}
          />
          <Choice
            name={`${group}way`}
            checked={way === 'house'}
            onChoose={() => setWay('house')}
            label="On the house"
            notes={['Free until a day that you choose; it ends by itself']}
          />
        </fieldset>
        {way === 'venue' && (
          <>
            <TextField
              label="Toast Reference Number *"
              autoComplete="off"
              {...form.field('toast_reference_number')}
            />
            <PaymentFields
              form={form}
              price_cents={price_cents}
              year_cents={chosen && yearCents(chosen)}
              methodOptional
            />
          </>
        )}
        {way === 'house' && (
          <>
            <TextField
              label="Until"
              type="date"
              hint={`The first day without membership, at most ${HOUSE_MONTHS} months ahead`}
              min={addDays(venueToday(), 1)}
              max={addMonths(venueToday(), HOUSE_MONTHS)}
              {...form.field('ends_on')}
            />
            <TextField
              label="Reason"
              hint="For your team, in the member’s record"
              {...form.field('reason')}
            />
          </>
        )}
        <FormError of={form.failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="lg" busy={form.busy} busyLabel="Starting...">
            {way === 'phone' ? 'Show the Code' : 'Create Membership'}
          </Button>
          <Button variant="secondary" size="lg" onClick={onBack}>
            Back
          </Button>
        </div>
      </form>
    </Card>
  );
}
