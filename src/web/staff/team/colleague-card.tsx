import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamMember } from '../../../contract/staff/team.ts';
import { PasswordStep } from '../../account/password-step.tsx';
import { api, orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { PermissionBoxes } from './permission-boxes.tsx';

interface ColleagueCardProps {
  colleague: TeamMember;
  /** Users cannot sign out, reset or remove themselves here. */
  isSelf: boolean;
}

export function ColleagueCard({ colleague, isSelf }: ColleagueCardProps) {
  const [asking, setAsking] = useState<Question | 'two-step' | null>(null);
  const name = `${colleague.first_name} ${colleague.last_name}`.trim();
  const close = () => setAsking(null);
  const { email, two_factor, pin, last_seen_at } = colleague;
  const ask = (question: Question | 'two-step', text: string, label: string) => (
    <Button variant="secondary" size="sm" aria-label={label} onClick={() => setAsking(question)}>
      {text}
    </Button>
  );
  return (
    <li>
      <Card className="h-full" title={<span className="break-words">{name}</span>}>
        <div className="-mt-2 mb-3 flex flex-wrap gap-2">
          {isSelf && <Badge tone="accent">You</Badge>}
          <Badge tone={two_factor ? 'positive' : 'warning'}>
            {two_factor ? 'Two-step sign-in on' : 'Two-step sign-in off'}
          </Badge>
          {pin !== 'none' && (
            <Badge tone={pin === 'set' ? 'neutral' : 'danger'}>
              {pin === 'set' ? 'Has a PIN' : 'PIN locked'}
            </Badge>
          )}
        </div>
        <p className="break-words">{email}</p>
        <p className="text-ink-muted text-sm">
          {last_seen_at ? `Last seen ${dateOfInstant(last_seen_at)}` : 'Never signed in'}
        </p>
        <PermissionBoxes colleague={colleague} isSelf={isSelf} />
        {!isSelf && (
          <div className="mt-5 flex flex-wrap gap-3 border-line border-t pt-5">
            {ask('sign out', 'Sign Out Everywhere', `Sign out everywhere: ${name}`)}
            {two_factor && ask('two-step', 'Reset Two-Step', `Reset two-step sign-in of ${name}`)}
            {pin !== 'none' && ask('remove pin', 'Reset PIN', `Reset PIN of ${name}`)}
            {ask('remove', 'Remove', `Remove ${name} from the team`)}
          </div>
        )}
      </Card>
      {asking === 'two-step' && (
        <ResetTwoFactorDialog user_id={colleague.user_id} name={name} onClose={close} />
      )}
      {asking && asking !== 'two-step' && (
        <ActDialog
          {...questionsAbout(colleague.user_id, name)[asking]}
          reload={orpc.team.list.key()}
          onClose={close}
        />
      )}
    </li>
  );
}

type Question = keyof ReturnType<typeof questionsAbout>;

const questionsAbout = (user_id: string, name: string) => ({
  'sign out': {
    title: `Sign out ${name} everywhere?`,
    description:
      'They’ll be signed out on every device right away, and their API clients will be removed. They can sign in again with their password.',
    confirmLabel: 'Sign Out',
    busyLabel: 'Signing out...',
    act: async () => {
      await api.team.signOut({ user_id });
      return `${name} is signed out everywhere`;
    },
    failed: 'We couldn’t sign them out. Please try again.',
  },
  'remove pin': {
    title: `Reset the PIN of ${name}?`,
    description:
      'It stops working on every shared tablet. They choose a new one in their own account, with their password.',
    confirmLabel: 'Reset PIN',
    busyLabel: 'Resetting...',
    act: async () => {
      await api.barDevices.removePin({ user_id });
      return `${name} can choose a new PIN`;
    },
    failed: 'We couldn’t reset the PIN. Please try again.',
  },
  remove: {
    title: `Remove ${name} from the team?`,
    description:
      'They’ll be signed out on every device right away. Their account becomes a member account, and their name stays on the pours they recorded. If they return, add them again.',
    confirmLabel: 'Remove',
    busyLabel: 'Removing...',
    act: async () => {
      await api.team.remove({ user_id });
      return `${name} is no longer staff`;
    },
    failed: 'We couldn’t remove them. Please try again.',
  },
});

interface ResetTwoFactorDialogProps {
  user_id: string;
  name: string;
  onClose: () => void;
}

/** Requires the manager's own password, because this weakens an account. */
function ResetTwoFactorDialog({ user_id, name, onClose }: ResetTwoFactorDialogProps) {
  const client = useQueryClient();
  return (
    <Dialog open title={`Reset two-step sign-in of ${name}?`} onClose={onClose}>
      <PasswordStep
        label="Reset"
        variant="danger"
        onCancel={onClose}
        onPassword={async (password) => {
          await api.team.resetTwoFactor({ user_id, password });
          toast.success(`${name} signs in with the password alone now`);
          await client.invalidateQueries({ queryKey: orpc.team.list.key() });
          onClose();
        }}
      >
        <p>
          Do this only if they lost their phone and backup codes, and you are sure they are the one asking.
          They can then sign in with just their password, all their devices are signed out, and they get an
          email.
        </p>
        <p className="text-ink-muted text-sm">Enter your own password to continue.</p>
      </PasswordStep>
    </Dialog>
  );
}
