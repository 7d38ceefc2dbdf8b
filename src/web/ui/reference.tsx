import { referenceOf, serverMessage } from '../api/api-error.ts';
import { isUnanswered } from '../api/in-time.ts';
import { classNames } from './class-names.ts';

/** What to do about an error: the server's own words, or whose fault it is. Without a response, it is the network's. */
export function adviceOn(error: unknown): string {
  const text = serverMessage(error);
  if (text) return text;
  return isUnanswered(error)
    ? 'Please check your connection and try again.'
    : 'Something went wrong on our side. Please try again.';
}

/** The second line of a failure that no answer from our server explains. */
export const noAnswerText = (error: unknown): string | undefined =>
  isUnanswered(error) ? 'No answer from our server: check the connection.' : undefined;

/** The small print of an unexpected error, for the user to read out to the person with access to the log. */
export function Reference({ of, className }: { of: unknown; className?: string }) {
  const reference = referenceOf(of);
  if (!reference) return null;
  return (
    <p className={classNames('text-ink-muted text-xs', className)}>
      Reference: <span className="select-all whitespace-nowrap font-code">{reference}</span>
    </p>
  );
}
