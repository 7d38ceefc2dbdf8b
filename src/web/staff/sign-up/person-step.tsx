import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { email } from '../../../contract/forms/credentials.ts';
import { personName } from '../../../contract/forms/person.ts';
import type { KnownPersonDetail } from '../../../contract/staff/bar-sign-ups.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';

/** A new person has no id yet. */
export interface ChosenPerson {
  user_id?: string;
  first_name: string;
  last_name: string;
  email: string;
}

interface PersonStepProps {
  /** The user whose page staff came from. */
  userId: string | undefined;
  onChosen: (person: ChosenPerson) => void;
  onAnother: () => void;
}

export function PersonStep({ userId, onChosen, onAnother }: PersonStepProps) {
  const [person, setPerson] = useState<KnownPersonDetail | null>(null);
  if (person) return <Found person={person} onChosen={onChosen} onAnother={() => setPerson(null)} />;
  if (userId) return <Given userId={userId} onChosen={onChosen} onAnother={onAnother} />;
  return <PersonForm onNew={onChosen} onFound={setPerson} />;
}

function PersonForm({
  onNew,
  onFound,
}: {
  onNew: (person: ChosenPerson) => void;
  onFound: (person: KnownPersonDetail) => void;
}) {
  const form = useForm({
    fields: { first_name: personName, last_name: personName, email },
    onSubmit: async (input) => {
      const { person } = await api.barSignUps.find({ email: input.email }, inTime());
      if (person) onFound(person);
      else onNew(input);
    },
    onError: (error) => serverMessage(error) ?? 'We couldn’t look up that email. Please try again.',
  });
  return (
    <Card>
      <form {...form.props} className="flex flex-col gap-5">
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          hint="They’ll get an email with a link to choose a password."
          {...form.field('email')}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="First Name"
            autoComplete="off"
            autoCapitalize="words"
            {...form.field('first_name')}
          />
          <TextField
            label="Last Name"
            autoComplete="off"
            autoCapitalize="words"
            {...form.field('last_name')}
          />
        </div>
        <FormError of={form.failure} />
        <Button type="submit" size="lg" busy={form.busy} busyLabel="Looking...">
          Choose Membership
        </Button>
      </form>
    </Card>
  );
}

function Given({ userId, onChosen, onAnother }: PersonStepProps & { userId: string }) {
  const input = { user_id: userId };
  const query = useQuery({
    ...orpc.barSignUps.find.queryOptions({ input }),
    queryFn: ({ signal }) => api.barSignUps.find(input, inTime(signal)),
  });
  return (
    <Loaded query={query} failed="We couldn’t load this person" card lines={4}>
      {({ person }) =>
        person ? (
          <Found person={person} onChosen={onChosen} onAnother={onAnother} />
        ) : (
          <Card>
            <EmptyState
              picture={<GuestListPicture />}
              title="There is no such account"
              action={
                <Button variant="secondary" onClick={onAnother}>
                  Choose Someone Else
                </Button>
              }
            />
          </Card>
        )
      }
    </Loaded>
  );
}

const KNOWN: Record<KnownPersonDetail['known_as'], string> = {
  staff: 'is on your team. A staff account cannot be a member: use another email.',
  member: 'is already a member.',
  former: 'used to be a member. Their history will stay with them.',
  applicant: 'has already applied. The application continues with the answers they gave.',
  account: 'has an account but no membership yet.',
};

function Found({
  person,
  onChosen,
  onAnother,
}: {
  person: KnownPersonDetail;
  onChosen: (person: ChosenPerson) => void;
  onAnother: () => void;
}) {
  const { user_id, first_name, last_name, email, known_as, customer_id, loses_password } = person;
  const canJoin = known_as !== 'staff' && known_as !== 'member';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
        {first_name} {last_name}
      </h2>
      <p className="wrap-anywhere text-ink-muted">{email}</p>
      <p className="mt-4">
        {first_name} {KNOWN[known_as]}
      </p>
      {canJoin && <p className="mt-2 text-ink-muted">Make sure this is the person in front of you.</p>}
      {canJoin && loses_password && (
        <p className="mt-2 text-ink-muted">
          Someone else may have made this account. Its password, if it has one, will stop working, and we’ll
          email them a link to choose a new one.
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {canJoin && (
          <Button size="lg" onClick={() => onChosen({ user_id, first_name, last_name, email })}>
            Choose Membership
          </Button>
        )}
        {known_as === 'member' && customer_id && (
          <LinkButton to="/staff/customers/$id" params={{ id: customer_id }} size="lg">
            Open Their Page
          </LinkButton>
        )}
        <Button variant="secondary" size="lg" onClick={onAnother}>
          Someone Else
        </Button>
      </div>
    </Card>
  );
}
