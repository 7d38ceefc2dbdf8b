import formRules from 'virtual:form-rules';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PIN_DIGITS } from '../../../domain/staff/staff-pin.ts';
import { authErrorText, refusalOf } from '../../api/api-error.ts';
import { api, orpc } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useInlineForm } from '../../ui/use-inline-form.ts';

export function PinCard() {
  const query = useQuery(orpc.barDevices.getPin.queryOptions());
  const { data: pin } = query;
  const form = useInlineForm();
  return (
    <Card
      title="PIN at the Bar"
      aside={
        pin?.set && (
          <Badge tone={pin.locked ? 'danger' : 'positive'}>{pin.locked ? 'Locked' : 'You have a PIN'}</Badge>
        )
      }
    >
      <Loaded query={query} failed="We couldn’t load your PIN" lines={2}>
        {({ set, locked }) =>
          form.isOpen ? (
            <PinForm onDone={form.close} />
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-4">
              <p className="min-w-0 flex-1 basis-56 text-ink-muted">
                {locked
                  ? 'It was entered wrong too many times and is locked. Set a new one.'
                  : 'Four digits that let you work on a tablet your team shares at the bar, in your own name.'}
              </p>
              <Button ref={form.button} variant="secondary" onClick={form.open}>
                {set ? 'Change PIN' : 'Set a PIN'}
              </Button>
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}

function PinForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    rules: formRules.setPin,
    onSubmit: async ({ pin, password }) => {
      await api.barDevices.setPin({ pin, password });
      toast.success('Your PIN is set');
      await client.invalidateQueries({ queryKey: orpc.barDevices.getPin.key() });
      onDone();
    },
    onError: (error) => {
      const text = authErrorText(error, 'We couldn’t set the PIN. Please try again.');
      if (refusalOf(error, 'PIN_EASY')) return { pin: text };
      return refusalOf(error, 'WRONG_PASSWORD') ? { password: text } : text;
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <TextField
        label="New PIN"
        hint="Four digits that are hard to guess: not a year, and not a pattern such as 1234 or 1122."
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        className="[&_input]:max-w-48"
        {...form.field('pin')}
        maxLength={PIN_DIGITS}
      />
      <PasswordField label="Your Password" autoComplete="current-password" {...form.field('password')} />
      <FormError of={form.failure} />
      <FormButtons busy={form.busy} busyLabel="Saving..." onCancel={onDone}>
        Save PIN
      </FormButtons>
    </form>
  );
}
