import { useEffect, useRef, useState } from 'react';
import { clubName } from '../../contract/forms/club-name.ts';
import { email, newPassword } from '../../contract/forms/credentials.ts';
import { personName } from '../../contract/forms/person.ts';
import { requiredField } from '../../contract/forms/text-field.ts';
import { authErrorText, refusalOf, serverMessage } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import { settingUp } from '../api/device-setting.ts';
import { signIn } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { NotFoundPage } from '../ui/not-found-page.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useForm } from '../ui/use-form.ts';
import { zoneOptions } from '../ui/zone-options.ts';
import { EmailField, NewPasswordFields, newPasswordAlert } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { linkPage } from './links/link-page.tsx';

type Opened = Awaited<ReturnType<typeof api.setup.read>> & { code: string };

/** The first start of a club: a code from the server's log, then the first account. `token` is that code, or empty. */
function SetupPage({ token }: { token: string }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [gone, setGone] = useState(false);
  if (gone) return <NotFoundPage />;
  return (
    <AuthLayout
      title="Set Up Your Club"
      lead={opened ? 'Name it and create your account' : 'Enter the code from the server’s log'}
    >
      {opened ? (
        <ClubForm opened={opened} onGone={() => setGone(true)} />
      ) : (
        <CodeForm link={token} onOpened={setOpened} onGone={() => setGone(true)} />
      )}
    </AuthLayout>
  );
}

export default linkPage(SetupPage);

interface CodeFormProps {
  link: string;
  onOpened: (opened: Opened) => void;
  onGone: () => void;
}

function CodeForm({ link, onOpened, onGone }: CodeFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const form = useForm({
    fields: { code: requiredField(40, 'Enter the code.') },
    values: { code: link },
    onSubmit: async ({ code }) => onOpened({ code, ...(await api.setup.read({ code })) }),
    onError: (error) => {
      if (refusalOf(error, 'NOT_FOUND')) {
        onGone();
        return undefined;
      }
      return refusalOf(error, 'LINK_INVALID')
        ? 'Wrong code. The server prints a new one each time it starts: use the newest.'
        : (serverMessage(error) ?? 'We couldn’t reach the server. Please try again.');
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once: opens the link, or learns whether the page is gone
  useEffect(() => {
    if (link) element.current?.requestSubmit();
    else api.setup.read({ code: '' }).catch((error) => refusalOf(error, 'NOT_FOUND') && onGone());
  }, []);
  return (
    <form {...form.props} ref={element} className="flex flex-col gap-5">
      <TextField
        label="Code"
        hint="Four groups of five letters and digits."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field('code')}
      />
      <FormError of={form.failure} />
      <Button type="submit" size="lg" block busy={form.busy} busyLabel="Checking...">
        Continue
      </Button>
    </form>
  );
}

function ClubForm({
  opened: { code, club_name, time_zone },
  onGone,
}: {
  opened: Opened;
  onGone: () => void;
}) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [zone, setZone] = useState(time_zone === 'UTC' ? here : time_zone);
  const form = useForm({
    fields: {
      club_name: clubName,
      first_name: personName,
      last_name: personName,
      email,
      password: newPassword,
    },
    extra: ['confirm_password'],
    values: { club_name },
    alert: newPasswordAlert,
    onSubmit: async (input) => {
      const { email } = await api.setup.create({ ...input, code, time_zone: zone });
      settingUp.write(true);
      await signIn(email, input.password);
      // A new document, with the club's current name.
      window.location.replace('/staff/start');
    },
    onError: (error) => {
      if (refusalOf(error, 'NOT_FOUND')) {
        onGone();
        return undefined;
      }
      return authErrorText(error, 'We couldn’t set up the club. Please try again.');
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <TextField label="Name of the Club" {...form.field('club_name')} />
      <SelectField
        label="Time Zone"
        hint="Days, billing at the venue and reports start at midnight in this time zone."
        options={zoneOptions(zone)}
        value={zone}
        onChange={(event) => setZone(event.target.value)}
      />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField label="First Name" autoComplete="given-name" {...form.field('first_name')} />
        <TextField label="Last Name" autoComplete="family-name" {...form.field('last_name')} />
      </div>
      <EmailField {...form.field('email')} />
      <NewPasswordFields label="Password" field={form.field} />
      <FormError of={form.failure} />
      <Button type="submit" size="lg" block busy={form.busy} busyLabel="Setting up...">
        Set Up the Club
      </Button>
    </form>
  );
}
