import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { homeOf, type SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { LinkUnread } from './link-unread.tsx';

interface FollowedLinkPageProps {
  title: string;
  lead: string;
  state: string;
  user: SessionUser | null;
  onRetry: () => void;
  /** What the button does, and its label, where the link alone does nothing. */
  press: { text: string; label: string; onPress: () => void };
  /** The words once the link did its work. */
  done: string;
  /** The content of its other states. */
  children: ReactNode;
}

/** The outcome of a link in an email, and the way on. `state` is that of useFollowedLink, or one of the page. */
export function FollowedLinkPage(props: FollowedLinkPageProps) {
  const { title, lead, state, user, onRetry, press, done, children } = props;
  const home = user?.role ? homeOf(user) : '/login';
  return (
    <AuthLayout
      title={title}
      lead={lead}
      footer={
        <Link to={home} className="link">
          {user?.role ? 'Back to your dashboard' : 'Back to sign in'}
        </Link>
      }
    >
      <div
        key={state}
        ref={state === 'checking' ? undefined : (box) => box?.focus({ preventScroll: true })}
        tabIndex={-1}
        className="flex flex-col gap-5 outline-none"
      >
        {state === 'checking' ? (
          <SkeletonLines lines={2} />
        ) : state === 'failed' ? (
          <LinkUnread onRetry={onRetry} />
        ) : state === 'press' ? (
          <>
            <p>{press.text}</p>
            <Button size="lg" block onClick={press.onPress}>
              {press.label}
            </Button>
          </>
        ) : state === 'done' ? (
          <>
            <p>{done}</p>
            <LinkButton to={home} size="lg" block>
              {user?.role ? 'Continue' : 'Sign In'}
            </LinkButton>
          </>
        ) : (
          children
        )}
      </div>
    </AuthLayout>
  );
}
