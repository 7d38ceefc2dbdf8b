import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { ErrorState } from './error-state.tsx';
import { RetryList } from './retry-list.tsx';
import { SkeletonLines } from './skeleton.tsx';

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  isFetching: boolean;
  /** Waits for the network; the browser knows of none. */
  isPaused?: boolean;
  refetch: () => unknown;
}

interface LoadErrorProps {
  query: Omit<Query<unknown>, 'data'>;
  title: string;
}

export function LoadError({ query: { error, isFetching, refetch }, title }: LoadErrorProps) {
  return <ErrorState of={error} title={title} onRetry={() => void refetch()} retrying={isFetching} />;
}

interface Waiting {
  /** Frames the skeleton and the error, with this title if it is a text. `children` have frames of their own. */
  card?: boolean | string;
  lines?: number;
  className?: string;
}

type Failure =
  /** The title of the error: 'We couldn’t load the members'. */
  | { failed: string; action?: undefined }
  /** A retry without a message; the failed action is logged: 'Loading members'. */
  | { action: string; failed?: undefined };

type LoadedProps<Data> = Waiting & Failure & { query: Query<Data>; children: (data: Data) => ReactNode };

/** Renders the data of a query; until it has loaded, a skeleton, or an error with a retry. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, failed, action, card, lines, className, children } = props;
  const { data, error, isFetching, isPaused, refetch } = query;
  if (data !== undefined) return children(data);
  const waiting = isPaused ? (
    <p role="status" className="text-ink-muted">
      You’re offline. This loads once the network is back.
    </p>
  ) : !error ? (
    <SkeletonLines lines={lines} className={className} />
  ) : failed === undefined ? (
    <RetryList action={action} error={error} busy={isFetching} onRetry={() => void refetch()} />
  ) : (
    <LoadError query={query} title={failed} />
  );
  if (!card) return waiting;
  return (
    // A <RetryList> has its own padding.
    <Card title={card === true ? undefined : card} padding={error && action ? 'plain' : 'normal'}>
      {waiting}
    </Card>
  );
}
