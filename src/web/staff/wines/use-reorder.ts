import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

/** The list with one item moved to another position, counted from 0 and limited to the list. */
export function movedTo(ids: readonly string[], id: string, place: number): string[] {
  const others = ids.filter((it) => it !== id);
  others.splice(Math.max(0, Math.min(place, others.length)), 0, id);
  return others;
}

/**
 * Lets the user reorder rows by dragging their handles or with the arrow keys. Spread `handle(id)` on each handle, and
 * pass `list` as the list's ref.
 */
export function useReorder(ids: readonly string[], onMoved: (ids: string[]) => void) {
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<{ id: string; order: string[] } | null>(null);
  const order = dragged?.order ?? ids;

  const finish = (keep: boolean) => {
    setDragged(null);
    if (keep && dragged?.order.some((id, at) => id !== ids[at])) onMoved(dragged.order);
  };
  const follow = (id: string, y: number) => {
    const rows = [...(list.current?.children ?? [])];
    // The number of other rows whose middle is above the pointer.
    const place = rows.filter((row, at) => {
      const { top, height } = row.getBoundingClientRect();
      return order[at] !== id && top + height / 2 < y;
    }).length;
    setDragged({ id, order: movedTo(order, id, place) });
  };

  return {
    list,
    order,
    dragging: dragged?.id ?? null,
    handle: (id: string) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged({ id, order: [...ids] });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (dragged?.id === id) follow(id, event.clientY);
      },
      onPointerUp: () => finish(true),
      onPointerCancel: () => finish(false),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const next = movedTo(ids, id, ids.indexOf(id) + step);
        if (next.some((it, at) => it !== ids[at])) onMoved(next);
      },
    }),
  };
}
