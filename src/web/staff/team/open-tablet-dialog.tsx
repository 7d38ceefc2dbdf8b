import formRules from 'virtual:form-rules';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { IDLE_MINUTES } from '../../../domain/staff/staff-pin.ts';
import { api } from '../../api/client.ts';
import { startSession } from '../../api/session.ts';
import { FieldPair } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { authErrorText } from '../../visitor/auth-error-text.ts';

type Minutes = (typeof IDLE_MINUTES)[number];

const MINUTES = IDLE_MINUTES.map((minutes) => ({
  value: String(minutes),
  label: minutes === 1 ? '1 minute' : `${minutes} minutes`,
}));
/** Long enough for a conversation at the bar, too short for a guest behind it. */
const USUAL: Minutes = 5;

/** Makes this browser a shared tablet and signs its manager out. Requires the manager's own password. */
export function OpenTabletDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const [idle_minutes, setMinutes] = useState<Minutes>(USUAL);
  const form = useForm({
    rules: formRules.openTablet,
    onSubmit: async ({ name, password }) => {
      await api.barDevices.open({ name, password, idle_minutes });
      // The session here has ended, because this browser is a tablet now.
      startSession();
      toast.success(`This is ${name} now`, { nextPage: true });
      await router.navigate({ to: '/bar', replace: true });
    },
    onError: (error) => authErrorText(error, 'We couldn’t open the tablet. Please try again.'),
    retry: 'password',
  });
  return (
    <FormDialog
      form={form}
      title="Make This a Shared Tablet"
      submitLabel="Make This a Shared Tablet"
      busyLabel="Opening..."
      onClose={onClose}
    >
      <p>
        Do this on the tablet that stays at the bar. You are signed out here, and staff take turns with their
        PINs.
      </p>
      <FieldPair>
        <TextField
          label="Name of the Tablet"
          hint="Such as Bar Left"
          autoFocus
          autoComplete="off"
          {...form.field('name')}
        />
        <SelectField
          label="Ask for a PIN Again"
          hint="After this long without use"
          options={MINUTES}
          value={String(idle_minutes)}
          onChange={(event) =>
            setMinutes(IDLE_MINUTES.find((it) => String(it) === event.target.value) ?? USUAL)
          }
        />
      </FieldPair>
      <PasswordField label="Your Password" autoComplete="current-password" {...form.field('password')} />
    </FormDialog>
  );
}
