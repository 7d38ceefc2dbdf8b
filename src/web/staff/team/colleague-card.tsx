import { useState } from 'react';
import type { TeamMember } from '../../../contract/staff/team.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import {
  colleagueName,
  RemoveDialog,
  RemovePinDialog,
  ResetTwoFactorDialog,
  SignOutDialog,
} from './colleague-dialogs.tsx';
import { PermissionBoxes } from './permission-boxes.tsx';

interface ColleagueCardProps {
  colleague: TeamMember;
  /** Users cannot sign out, reset or remove themselves here. */
  isSelf: boolean;
}

export function ColleagueCard({ colleague, isSelf }: ColleagueCardProps) {
  const [asking, setAsking] = useState<'sign out' | 'reset' | 'remove pin' | 'remove' | null>(null);
  const name = colleagueName(colleague);
  const close = () => setAsking(null);
  const { email, two_factor, pin, last_seen_at } = colleague;
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
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Sign out everywhere: ${name}`}
              onClick={() => setAsking('sign out')}
            >
              Sign Out Everywhere
            </Button>
            {two_factor && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Reset two-step sign-in of ${name}`}
                onClick={() => setAsking('reset')}
              >
                Reset Two-Step
              </Button>
            )}
            {pin !== 'none' && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Reset PIN of ${name}`}
                onClick={() => setAsking('remove pin')}
              >
                Reset PIN
              </Button>
            )}
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Remove ${name} from the team`}
              onClick={() => setAsking('remove')}
            >
              Remove
            </Button>
          </div>
        )}
      </Card>
      {asking === 'sign out' && <SignOutDialog colleague={colleague} onClose={close} />}
      {asking === 'reset' && <ResetTwoFactorDialog colleague={colleague} onClose={close} />}
      {asking === 'remove pin' && <RemovePinDialog colleague={colleague} onClose={close} />}
      {asking === 'remove' && <RemoveDialog colleague={colleague} onClose={close} />}
    </li>
  );
}
