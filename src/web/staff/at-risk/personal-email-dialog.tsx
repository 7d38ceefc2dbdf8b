import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberAtRisk } from '../../../contract/office/outreach.ts';
import { MAX_PERSONAL_EMAIL_LENGTH, MAX_PERSONAL_EMAIL_SUBJECT } from '../../../domain/reports/at-risk.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

const REFUSED = {
  not_at_risk: 'Nothing was sent: this member is no longer at risk.',
  opted_out: 'Nothing was sent: they opted out of these emails.',
  too_soon: 'Nothing was sent: someone already wrote to them in the last 30 days.',
} as const;

/** The email, which staff read, change and send. */
export function PersonalEmailDialog({ member, onClose }: { member: MemberAtRisk; onClose: () => void }) {
  const { customer_id, name, draft } = member;
  const client = useQueryClient();
  // One email per dialog: a double tap or a retry sends it once.
  const [request_id] = useState(() => crypto.randomUUID());
  const [subject, setSubject] = useState(draft.subject);
  const [text, setText] = useState(draft.text);
  const { busy, failure, fail, send } = useSend();
  const sendLetter = async () => {
    if (subject.trim() === '') return fail('Enter a subject.');
    if (text.trim() === '') return fail('Enter a text.');
    await send(
      async () => {
        await api.outreach.sendLetter({
          customer_id,
          request_id,
          subject: subject.trim(),
          text: text.trim(),
        });
        toast.success(`Sent to ${name}`);
        onClose();
      },
      (error) => {
        const refused = refusalOf(error, 'LETTER_REFUSED');
        return refused
          ? REFUSED[refused.data.reason]
          : (serverMessage(error) ?? 'Not sent. Please try again.');
      },
    );
    await client.invalidateQueries({ queryKey: orpc.outreach.listAtRisk.queryOptions().queryKey });
  };
  return (
    <Dialog
      open
      title={`Write to ${name}`}
      description="We add a greeting, the club’s name, and a line on how to stop these emails."
      onClose={() => !busy && onClose()}
      actions={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} busyLabel="Sending..." onClick={() => void sendLetter()}>
            Send
          </Button>
        </>
      }
    >
      {failure.text && (
        <Notice tone="danger" role="alert">
          {failure.text}
        </Notice>
      )}
      <TextField
        label="Subject"
        maxLength={MAX_PERSONAL_EMAIL_SUBJECT}
        value={subject}
        onChange={(event) => setSubject(event.target.value)}
      />
      <TextareaField
        label="Text"
        rows={8}
        maxLength={MAX_PERSONAL_EMAIL_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
