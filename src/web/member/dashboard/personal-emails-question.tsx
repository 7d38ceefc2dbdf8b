import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { usePersonalEmails } from '../account/use-personal-emails.ts';

/** Asks once whether staff may email the member personally. Both answers are stored, and changed in the account. */
export function PersonalEmailsQuestion() {
  const { wanted, busy, answer } = usePersonalEmails('dashboard');
  if (wanted !== null) return null;
  return (
    <Notice
      title="May we write to you now and then?"
      action={
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" size="sm" disabled={busy} onClick={() => void answer(true)}>
            Yes, Please
          </Button>
          <Button variant="quiet" size="sm" disabled={busy} onClick={() => void answer(false)}>
            No, Thanks
          </Button>
        </div>
      }
    >
      Someone at {site.club_name} would like to email you personally, for example if we haven’t seen you in a
      while. You can change this at any time in your account.
    </Notice>
  );
}
