import { useEffect, useEffectEvent, useRef } from 'react';
import { Spinner } from './spinner.tsx';

interface ListEndProps {
  hasMore: boolean;
  loading: boolean;
  onReach: () => void;
}

/** The foot of a paged list: asks for the next page a screen before it is scrolled into view. */
export function InfiniteScroll({ hasMore, loading, onReach }: ListEndProps) {
  const ref = useRef<HTMLDivElement>(null);
  const reach = useEffectEvent(() => onReach());

  useEffect(() => {
    const foot = ref.current;
    // Observed anew after every page: a page too short to push the foot out of sight fires no second time.
    if (!foot || !hasMore || loading) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && reach(), {
      rootMargin: '0px 0px 600px 0px',
    });
    observer.observe(foot);
    return () => observer.disconnect();
  }, [hasMore, loading]);

  if (!hasMore) return null;
  return (
    <div ref={ref} className="grid min-h-16 place-items-center">
      {loading && <Spinner size="sm" />}
    </div>
  );
}
