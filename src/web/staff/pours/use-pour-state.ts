import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { customerFromState } from './pour-state.ts';

type EntryState = ReturnType<typeof useLocation>['state'];

/** The state of the pour page, stored in the history entry so that it survives a reload. */
export function usePourState() {
  const navigate = useNavigate();
  const state = useLocation({ select: (location) => location.state });
  const customer = customerFromState(state);

  const update = useCallback(
    (change: Partial<EntryState>, resetScroll = false) =>
      navigate({
        to: '.',
        // Going back or reloading must not lead to a form whose pour is already recorded.
        replace: true,
        resetScroll,
        state: (previous) => ({ ...previous, ...change }),
      }),
    [navigate],
  );

  const justOpened = customer !== null && state.request_id === undefined;
  useEffect(() => {
    // This change follows the navigation so closely that it decides the scroll position for both.
    if (justOpened) void update({ request_id: crypto.randomUUID() }, true);
  }, [justOpened, update]);

  return {
    customer,
    requestId: state.request_id,
    unanswered: state.unanswered,
    poured: state.poured,
    scanned: state.scanned === true,
    paperCardId: typeof state.paper_card_id === 'string' ? state.paper_card_id : undefined,
    guestGlassId: typeof state.guest_glass_id === 'string' ? state.guest_glass_id : undefined,
    update,
  };
}
