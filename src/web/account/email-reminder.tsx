import { useState } from 'react';
import type { SessionUser } from '../api/session.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ResendLinkButton } from './resend-link-button.tsx';

const keyOf = (user: SessionUser) => `address-reminder-dismissed:${user.id}`;

function dismissed(user: SessionUser): boolean {
  try {
    return localStorage.getItem(keyOf(user)) !== null;
  } catch {
    return false;
  }
}

/** True where the person is asked to confirm their address, and has not yet. */
function isUnconfirmed(user: SessionUser): boolean {
  return site.verify_email !== 'off' && user.email_verified === false;
}

interface AddressNudgeProps {
  user: SessionUser;
  /** In the settings, where the link must be to be had: dismissing it is good for this visit only. */
  eachVisit?: boolean;
}

/** Reminds of the link that waits in the mail, until it is dismissed on this device. */
export function EmailReminder({ user, eachVisit = false }: AddressNudgeProps) {
  const [gone, setGone] = useState(() => !eachVisit && dismissed(user));
  if (gone || !isUnconfirmed(user)) return null;

  const dismiss = () => {
    setGone(true);
    if (eachVisit) return;
    try {
      localStorage.setItem(keyOf(user), '1');
    } catch {
      // A browser that keeps nothing reminds again.
    }
  };

  return (
    <Notice
      title="Please confirm your mail address"
      action={
        <div className="flex flex-wrap gap-3">
          <ResendLinkButton email={user.email} />
          <Button variant="quiet" size="sm" onClick={dismiss}>
            Not Now
          </Button>
        </div>
      }
    >
      We sent a link to <span className="break-words font-medium">{user.email}</span>, so that receipts and a
      new password reach you.
    </Notice>
  );
}
