import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Mailing } from '../../../contract/staff/mailings.ts';
import { MAILING_DAYS } from '../../../domain/club/mailing.ts';
import { api, orpc } from '../../api/client.ts';
import { serverTime } from '../../api/server-clock.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvelopePicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { formatDateTime } from '../venue-dates.ts';

const REFRESH_MS = 3_000;
const isRunning = ({ state }: Mailing) => state === 'waiting' || state === 'sending';

export default function MailingsPage() {
  const query = useQuery({
    ...orpc.mailings.list.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? REFRESH_MS : false),
  });
  const toList = (
    <LinkButton to="/staff/members" variant="secondary">
      Open the Members’ List
    </LinkButton>
  );
  return (
    <PageShell
      width="wide"
      title="Mailings"
      lead="What the club wrote to its members. To write, filter the members’ list and press Write."
      back={useBackToMore()}
    >
      <Loaded query={query} failed="We couldn’t load the mailings" card lines={6}>
        {(mailings) => (
          <Card padding="plain">
            {mailings.length === 0 ? (
              <EmptyState
                picture={<EnvelopePicture />}
                title="Nothing written yet"
                text="Choose members on the list, such as those who were not here for a month, and write to all of them at once."
                action={toList}
              />
            ) : (
              <ul className="divide-y divide-line">
                {mailings.map((it) => (
                  <MailingRow key={it.id} mailing={it} />
                ))}
              </ul>
            )}
          </Card>
        )}
      </Loaded>
    </PageShell>
  );
}

function MailingRow({ mailing }: { mailing: Mailing }) {
  const { id, subject, text, about_opening, sent_by, created_at, recipients, emailed, came } = mailing;
  const [isStopping, setStopping] = useState(false);
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:px-7">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="wrap-anywhere font-semibold text-lg">{subject}</p>
        <p className="text-ink-muted text-sm">
          {formatDateTime(created_at)}
          {sent_by && `, by ${sent_by}`}
        </p>
      </div>
      {about_opening && (
        <p>
          <Badge>About the opening</Badge>
        </p>
      )}
      <p role="status">{progressOf(mailing)}</p>
      {isRunning(mailing) && (
        <ProgressBar label={`Emails of “${subject}”`} value={emailed} max={recipients} />
      )}
      {emailed > 0 && <p className="text-sm">{cameText(came, created_at)}</p>}
      <details>
        <summary className="target w-fit cursor-pointer text-accent-text text-sm">Read it</summary>
        <p className="max-w-reading whitespace-pre-wrap wrap-anywhere pb-2">{text}</p>
      </details>
      {isRunning(mailing) && (
        <Button variant="secondary" size="sm" className="self-start" onClick={() => setStopping(true)}>
          Stop
        </Button>
      )}
      {isStopping && (
        <ActDialog
          title="Stop this email?"
          description={
            emailed === 0
              ? 'Nothing has gone out yet, and nothing will.'
              : `${emailsText(emailed)} went out, and can’t be called back. The others won’t be sent.`
          }
          confirmLabel="Stop"
          busyLabel="Stopping..."
          act={async () => emailedText(await api.mailings.stop({ id }))}
          failed="We couldn’t stop it. Please try again."
          reload={orpc.mailings.key()}
          onClose={() => setStopping(false)}
        />
      )}
    </li>
  );
}

const emailsText = (count: number) => (count === 1 ? '1 email' : `${count.toLocaleString('en-US')} emails`);
const emailedText = ({ state, emailed }: Mailing) =>
  state === 'stopped' ? `Stopped after ${emailsText(emailed)}` : 'All emails had gone out';

function progressOf(mailing: Mailing): string {
  const { state, recipients, emailed } = mailing;
  if (state === 'waiting') return `Begins in a minute, to ${membersText(recipients)}`;
  if (state === 'sending')
    return `${emailed.toLocaleString('en-US')} of ${recipients.toLocaleString('en-US')} sent`;
  return state === 'stopped' ? emailedText(mailing) : `Sent to ${membersText(emailed)}`;
}

export const membersText = (count: number) =>
  count === 1 ? '1 member' : `${count.toLocaleString('en-US')} members`;

function cameText(came: number, created_at: string): string {
  const isOver = serverTime() - Date.parse(created_at) > (MAILING_DAYS + 1) * 86_400_000;
  return `${came.toLocaleString('en-US')} came ${isOver ? 'in the week after' : 'so far'}`;
}
