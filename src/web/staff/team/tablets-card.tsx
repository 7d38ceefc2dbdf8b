import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { currentPassword } from '../../../contract/forms/credentials.ts';
import { tabletName } from '../../../contract/forms/staff-fields.ts';
import type { BarDevice } from '../../../contract/staff/bar-devices.ts';
import { IDLE_MINUTES } from '../../../domain/staff/staff-pin.ts';
import { authErrorText } from '../../api/api-error.ts';
import { api, orpc } from '../../api/client.ts';
import { startSession } from '../../api/session.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FieldPair } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { formatDateTime } from '../venue-dates.ts';

export function TabletsCard() {
  const query = useQuery(orpc.barDevices.list.queryOptions());
  const [opening, setOpening] = useState(false);
  const [ending, setEnding] = useState<BarDevice | null>(null);
  return (
    <Card title="Shared Tablets">
      <p className="max-w-[60ch] text-ink-muted">
        Staff share a tablet at the bar: each types their own four digits, and the history shows who poured.
        It can only be used for work at the bar.
      </p>
      <Button variant="secondary" size="sm" className="mt-4" onClick={() => setOpening(true)}>
        Make This a Shared Tablet
      </Button>
      <Loaded query={query} failed="We couldn’t load the tablets" lines={2} className="mt-4">
        {(data) =>
          data.length > 0 && (
            <ul className="mt-4 divide-y divide-line border-line border-t">
              {data.map((tablet) => (
                <Row key={tablet.id} tablet={tablet} onEnd={() => setEnding(tablet)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {opening && <OpenTabletDialog onClose={() => setOpening(false)} />}
      {ending && (
        <ActDialog
          title={`Sign out ${ending.name}?`}
          description="Anyone working on it will be signed out right away. It won’t ask for PINs until someone makes it a shared tablet again."
          confirmLabel="Sign Out"
          busyLabel="Signing out..."
          act={async () => {
            await api.barDevices.end({ id: ending.id });
            return `${ending.name} is signed out`;
          }}
          failed="We couldn’t sign the tablet out. Please try again."
          reload={orpc.barDevices.list.key()}
          onClose={() => setEnding(null)}
        />
      )}
    </Card>
  );
}

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {formatDateTime(at)}
  </time>
);

function Row({ tablet, onEnd }: { tablet: BarDevice; onEnd: () => void }) {
  const { name, opened_by, opened_at, last_used_at, used_by, idle_minutes } = tablet;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {used_by && <Badge tone="positive">{used_by} is pouring</Badge>}
        </p>
        <p className="text-ink-muted text-sm">
          Opened by {opened_by}, <Time at={opened_at} />.{' '}
          {last_used_at ? (
            <>
              Last PIN <Time at={last_used_at} />.
            </>
          ) : (
            'No PIN used yet.'
          )}{' '}
          Locks after {idle_minutes === 1 ? 'a minute' : `${idle_minutes} minutes`} without use.
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`Sign out ${name}`} onClick={onEnd}>
        Sign Out
      </Button>
    </li>
  );
}

type Minutes = (typeof IDLE_MINUTES)[number];

const MINUTES = IDLE_MINUTES.map((minutes) => ({
  value: String(minutes),
  label: minutes === 1 ? '1 minute' : `${minutes} minutes`,
}));
/** Long enough for a conversation at the bar, too short for a guest behind it. */
const USUAL: Minutes = 5;

/** Makes this browser a shared tablet and signs its manager out. Requires the manager's own password. */
function OpenTabletDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const [idle_minutes, setMinutes] = useState<Minutes>(USUAL);
  const form = useForm({
    fields: { name: tabletName, password: currentPassword },
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
