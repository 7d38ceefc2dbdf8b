import { auth } from '../api/auth-client.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { FollowedLinkPage } from './links/followed-link-page.tsx';
import { linkPage } from './links/link-page.tsx';
import { type Outcome, useFollowedLink } from './links/use-followed-link.ts';

const leads: Record<Outcome | 'checking', string> = {
  checking: 'One moment',
  press: 'One more step',
  done: 'Thank you',
  invalid: 'This link does not work',
  taken: 'This email is in use',
  failed: 'Something went wrong',
};

function ChangeEmailPage({ token }: { token: string }) {
  const { state, user, retry, press } = useFollowedLink(token, auth.confirmEmailChange);
  return (
    <FollowedLinkPage
      {...{ state, user }}
      title="Change Your Email"
      lead={leads[state]}
      press={{
        text: 'This email becomes the one you sign in with. If you didn’t ask for that, close this page: nothing changes.',
        label: 'Change Email',
        onPress: press,
      }}
      done="Your email was changed. From now on, sign in with the new one."
      onRetry={retry}
    >
      {state === 'taken' ? (
        <p>
          Another account has this email now, so we couldn’t change yours. Sign in to that one, or choose
          another email.
        </p>
      ) : (
        <>
          <p>
            It was already used, has expired, or was replaced by a newer one. To ask for another, sign in and
            choose Change Email under Security.
          </p>
          <p className="text-ink-muted text-sm">
            Nothing works? Write to <SupportLink />.
          </p>
        </>
      )}
    </FollowedLinkPage>
  );
}

export default linkPage(ChangeEmailPage);
