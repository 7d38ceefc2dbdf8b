import { useEffect, useEffectEvent, useRef } from 'react';
import { Spinner } from './spinner.tsx';

interface InfiniteScrollProps {
  hasMore: boolean;
  loading: boolean;
  onReach: () => void;
}

/** The end of a paged list: requests the next page shortly before it scrolls into view. */
export function InfiniteScroll({ hasMore, loading, onReach }: InfiniteScrollProps) {
  const ref = useRef<HTMLDivElement>(null);
  const reach = useEffectEvent(() => onReach());

  useEffect(() => {
    const element = ref.current;
    // Observed again after every page: if a page is too short to push this out of view, no second event would fire.
    if (!element || !hasMore || loading) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && reach(), {
      rootMargin: '0px 0px 600px 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore, loading]);

  if (!hasMore) return null;
  return (
    <div ref={ref} className="grid min-h-16 place-items-center">
      {loading && <Spinner size="sm" />}
    </div>
  );
}
