import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { mailingFields } from '../../../contract/forms/staff-fields.ts';
import type { MailingAudience } from '../../../contract/staff/mailings.ts';
import { type MailingObstacle, mailingProblem } from '../../../domain/club/mailing.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useForm } from '../../ui/use-form.ts';
import { filterOf, type ListAddress } from '../members/list-address.ts';
import { dateOfInstant } from '../venue-dates.ts';
import { membersText } from './mailings-page.tsx';

const route = getRouteApi('/_staff/staff/mailings/new');

const OBSTACLES: Record<MailingObstacle, string> = {
  email_off: 'This club can’t send email yet. System says what is missing.',
  nobody:
    'Nobody on this list has agreed to such emails. The dashboard asks members once, after their first week.',
  too_many: 'More than 5,000 members would get it. Please narrow the list.',
  too_soon: 'The club wrote to its members less than a week ago.',
};

export default function WritePage() {
  const address = route.useSearch();
  const filter = filterOf(address);
  const query = useQuery(orpc.mailings.audience.queryOptions({ input: { filter } }));
  return (
    <PageShell
      width="wide"
      title="Write to Members"
      lead="Everyone on the list who agreed to emails from the club gets it."
      back={
        <BackLink to="/staff/members" search={address}>
          Back to the List
        </BackLink>
      }
    >
      <Loaded query={query} failed="We couldn’t count the members" card lines={6}>
        {(audience) => <Writing filter={filter} audience={audience} />}
      </Loaded>
    </PageShell>
  );
}

/** '94 said yes, 31 were never asked, 18 said no' */
function audienceText({ wanted, unasked, refused }: MailingAudience): string {
  const never = `${unasked.toLocaleString('en-US')} ${unasked === 1 ? 'was' : 'were'} never asked`;
  return `${wanted.toLocaleString('en-US')} said yes, ${never}, ${refused.toLocaleString('en-US')} said no`;
}

function Writing({ filter, audience }: { filter: ListAddress; audience: MailingAudience }) {
  const navigate = route.useNavigate();
  const client = useQueryClient();
  // One email per page: a double tap or a retry sends it once.
  const [request_id] = useState(() => crypto.randomUUID());
  const [about_opening, setAboutOpening] = useState(false);
  const form = useForm({
    fields: mailingFields,
    alert: (words) => {
      const problem = mailingProblem(words, location.origin);
      return problem && { ...problem, at: 'field' };
    },
    onSubmit: async (words) => {
      await api.mailings.send({ request_id, filter, about_opening, ...words });
      void client.invalidateQueries({ queryKey: orpc.mailings.key() });
      toast.success(`On its way to ${membersText(audience.wanted)}`);
      void navigate({ to: '/staff/mailings' });
    },
    onError: (error) => {
      const refusal = refusalOf(error, 'MAILING_REFUSED');
      if (refusal) void client.invalidateQueries({ queryKey: orpc.mailings.key() });
      return refusal
        ? OBSTACLES[refusal.data.reason]
        : (serverMessage(error) ?? 'Not sent. Please try again.');
    },
  });
  const isTooSoon = audience.next_at !== null && !about_opening;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card title="Your Email">
        <form {...form.props} className="flex flex-col gap-5">
          <p role="status">{audienceText(audience)}. It goes to those who said yes.</p>
          {audience.obstacle && <Notice tone="warning">{OBSTACLES[audience.obstacle]}</Notice>}
          <TextField label="Subject" {...form.field('subject')} />
          <TextareaField
            label="Text"
            rows={8}
            hint="Plain text, with {first_name} if you like: “Hello {first_name},” stands above it. An empty line begins a paragraph."
            {...form.field('text')}
          />
          <label className="target flex items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={about_opening}
              onChange={(event) => setAboutOpening(event.target.checked)}
            />
            <span>It is about when the venue is open</span>
          </label>
          {isTooSoon && audience.next_at && (
            <Notice tone="warning" title="The club wrote less than a week ago">
              The next email can go out on {dateOfInstant(audience.next_at)}. One about when the venue is open
              can go out any day.
            </Notice>
          )}
          <FormError of={form.failure} />
          <Button
            type="submit"
            busy={form.busy}
            busyLabel="Sending..."
            disabled={audience.obstacle !== null || isTooSoon}
          >
            Send to {membersText(audience.wanted)}
          </Button>
          <p className="text-ink-muted text-sm">
            It begins after a minute and can be stopped. We add a greeting, the club’s name, and a line on how
            to turn these emails off.
          </p>
        </form>
      </Card>
      <Preview filter={filter} words={form.values} />
    </div>
  );
}

function Preview({ filter, words }: { filter: ListAddress; words: { subject: string; text: string } }) {
  const subject = useDebounced(words.subject).trim();
  const text = useDebounced(words.text).trim();
  // Hidden as soon as a refused text is typed: it would be another email's preview.
  const isFine =
    subject !== '' &&
    text !== '' &&
    [words, { subject, text }].every((it) => mailingProblem(it, location.origin) === null);
  const preview = useQuery({
    ...orpc.mailings.preview.queryOptions({ input: { filter, subject, text } }),
    enabled: isFine,
  });
  return (
    <Card title="Preview">
      {!isFine ? (
        <p className="text-ink-muted">Write a subject and a text to see the email as a member gets it.</p>
      ) : (
        <Loaded query={preview} failed="We couldn’t load the preview" lines={6}>
          {({ reader, subject, text }) => (
            <div className="flex flex-col gap-4">
              <p className="text-ink-muted text-sm">As {reader} gets it. Nothing is sent yet.</p>
              <p className="wrap-anywhere font-semibold">{subject}</p>
              <p className="whitespace-pre-wrap wrap-anywhere text-sm">{text}</p>
            </div>
          )}
        </Loaded>
      )}
    </Card>
  );
}
