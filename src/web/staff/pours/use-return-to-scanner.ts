import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Returns to the scanner when the time to undo is over (milliseconds since 1970), so that scan, capture, pour is the whole
 * loop. Any touch or key on the page cancels this: staff are still busy with this member.
 */
export function useReturnToScanner(wanted: boolean, until: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!wanted) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => void navigate({ to: '/staff/search' }), Math.max(0, until - Date.now()));
    signal.addEventListener('abort', () => clearTimeout(timer));
    const stay = () => controller.abort();
    document.addEventListener('pointerdown', stay, { signal });
    document.addEventListener('keydown', stay, { signal });
    return stay;
  }, [wanted, until, navigate]);
}
