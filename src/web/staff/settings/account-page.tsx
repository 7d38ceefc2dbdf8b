import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { currentPassword } from '../../../contract/forms/credentials.ts';
import { pin } from '../../../contract/forms/staff-fields.ts';
import { PIN_DIGITS } from '../../../domain/staff/staff-pin.ts';
import { DataExportCard } from '../../account/data-export-card.tsx';
import { DeviceCard } from '../../account/device-card.tsx';
import { EmailReminder } from '../../account/email/email-reminder.tsx';
import { SecurityCards } from '../../account/security-cards.tsx';
import { SessionsCard } from '../../account/sessions-card.tsx';
import { authErrorText, refusalOf } from '../../api/api-error.ts';
import { api, orpc } from '../../api/client.ts';
import { startInScanner, useDeviceSetting } from '../../api/device-setting.ts';
import type { SessionUser } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useInlineForm } from '../../ui/use-inline-form.ts';
import { useOfficeWindow } from '../../ui/use-media.ts';
import { landingFor } from '../../visitor/landing.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';

/** Opens the page that staff came for, once they have set up what the venue requires first. */
function useGoOn(user: SessionUser, next: string | undefined): void {
  const navigate = useNavigate();
  const mustEnrol = user.must_enrol === true;
  const [began] = useState(mustEnrol);
  useEffect(() => {
    if (began && !mustEnrol) void navigate({ href: landingFor(user, next), replace: true });
  }, [began, mustEnrol, user, next, navigate]);
}

export default function StaffAccountPage() {
  const { user } = useRouteContext({ from: '/_staff' });
  useGoOn(user, useSearch({ from: '/_staff/staff/account' }).redirect);
  const back = useBackToMore();
  // The office has Sign Out at the foot of the navigation.
  const office = useOfficeWindow();
  return (
    <PageShell
      title="Account"
      width={user.must_enrol ? 'reading' : 'wide'}
      lead={`${user.first_name} ${user.last_name}`.trim()}
      back={user.must_enrol ? undefined : back}
      actions={office ? undefined : <StaffSignOut />}
    >
      {user.must_enrol && (
        <Notice tone="warning" title="Set up two-step sign-in first">
          This venue requires staff to sign in with a code in addition to their password. Setting it up takes
          a minute and an authenticator app on your phone.
        </Notice>
      )}
      <EmailReminder user={user} eachVisit />
      {user.must_enrol ? (
        <>
          <SecurityCards user={user} />
          <SessionsCard />
        </>
      ) : (
        <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-5 sm:gap-6">
            <SecurityCards user={user} />
          </div>
          <div className="flex min-w-0 flex-col gap-5 sm:gap-6">
            <PinCard />
            <SessionsCard />
            <BarDeviceCard />
            <DataExportCard />
          </div>
        </div>
      )}
    </PageShell>
  );
}

function BarDeviceCard() {
  const starts = useDeviceSetting(startInScanner);
  return (
    <DeviceCard hint="The scanner and the pour page are dark unless you choose Light.">
      <label className="target flex items-center gap-3">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          checked={starts}
          onChange={(event) => startInScanner.write(event.target.checked)}
        />
        Start in the scanner after signing in
      </label>
    </DeviceCard>
  );
}

function PinCard() {
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
    fields: { pin, password: currentPassword },
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
