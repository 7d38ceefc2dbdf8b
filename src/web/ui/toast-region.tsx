import type { FocusEvent, KeyboardEvent } from 'react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { useTopModal } from './modal-stack.ts';
import { noAnswerText, Reference } from './reference.tsx';
import { type ToastItem, toast, toastStore } from './toast.ts';
import { useMedia } from './use-media.ts';

const KIND_STYLES = {
  success: { shape: 'check', color: 'bg-positive-fill text-fill-ink' },
  error: { shape: 'alert', color: 'bg-danger-fill text-fill-ink' },
  info: { shape: 'info', color: 'bg-neutral-soft text-ink' },
} as const;

function ToastCard({ item, paused }: { item: ToastItem; paused: boolean }) {
  const { shape, color } = KIND_STYLES[item.kind];
  const remainingMs = useRef(item.duration);

  useEffect(() => {
    if (paused || remainingMs.current === Number.POSITIVE_INFINITY) return;
    const startedAt = Date.now();
    const timer = setTimeout(() => toast.dismiss(item.id), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current = Math.max(1000, remainingMs.current - (Date.now() - startedAt));
    };
  }, [item.id, paused]);

  const runAction = () => {
    toast.dismiss(item.id);
    item.action?.onClick();
  };
  const description = item.description ?? noAnswerText(item.of);
  const titleId = `toast-${item.id}`;
  return (
    <div
      data-toast={item.kind}
      className="toast pointer-events-auto flex items-start gap-3 rounded-lg border border-line bg-surface-raised p-3 pl-4 text-ink shadow-raised pinned:py-0.5"
    >
      <span className={classNames('mt-2 grid size-6 shrink-0 place-items-center rounded-full', color)}>
        <Icon shape={shape} size={15} strokeWidth={2.5} />
      </span>
      <div className="min-w-0 flex-1 py-2">
        <p
          id={titleId}
          className={classNames(
            'font-semibold text-base leading-snug',
            item.oneLine && 'pinned:line-clamp-1',
          )}
        >
          {item.title}
        </p>
        {description && <p className="mt-0.5 text-ink-muted text-sm">{description}</p>}
        <Reference of={item.of} className="mt-0.5" />
        {item.action && (
          <button
            type="button"
            onClick={runAction}
            className="target -mb-2 -ml-3 rounded-md px-3 font-semibold text-accent-text text-sm hover:bg-accent-soft"
          >
            {item.action.label}
          </button>
        )}
      </div>
      <IconButton
        label="Dismiss"
        aria-describedby={titleId}
        icon={<Icon shape="cross" size={18} />}
        onClick={() => toast.dismiss(item.id)}
        className="-ml-2"
      />
    </div>
  );
}

/** The query of the variant `pinned` in styles/base.css. */
const PHONE = '(width < 40rem) or (height < 30rem)';

/** Where the words of a title end; its box is as wide as the page. */
function wordsOf(title: Element): DOMRect {
  const words = document.createRange();
  words.selectNodeContents(title);
  return words.getBoundingClientRect();
}

/**
 * Pixels from the top at which a toast that begins at `left` covers neither the header's controls nor the words of the
 * title. Where the title is pinned, a member's name follows, and the toast is on the title.
 */
function belowHeader(left: number): number {
  const gap = window.matchMedia(PHONE).matches ? 0 : 8;
  const bars = [...document.querySelectorAll('header:not(article *), [data-nav-bar]')].map((it) =>
    it.getBoundingClientRect(),
  );
  const titles = [...document.querySelectorAll('#main:not([data-pinned]) h1')]
    .map(wordsOf)
    .filter(({ right }) => right > left);
  const bottoms = [...bars, ...titles]
    // On a phone the navigation is at the bottom or side.
    .filter(({ top, width, height }) => width > height && top < window.innerHeight / 2)
    .map(({ bottom }) => bottom + gap);
  return Math.max(12, ...bottoms);
}

// Both live regions stay on the page while empty: screen readers announce only additions to a region they know.
function ToastStack({ items, inDialog }: { items: readonly ToastItem[]; inDialog?: boolean }) {
  const [paused, setPaused] = useState(false);
  const ref = useRef<HTMLElement>(null);
  const previousFocus = useRef<HTMLElement>(null);

  const isShown = items.length > 0;
  useLayoutEffect(() => {
    // A dialog has its own stack above the page, with its controls elsewhere.
    if (!isShown || inDialog) return;
    const place = () => {
      const stack = ref.current;
      if (stack) stack.style.top = `${belowHeader(stack.getBoundingClientRect().left)}px`;
    };
    place();
    // A toast often appears just before its page does, or before the page scrolls to its top.
    const pageChange = new MutationObserver(place);
    pageChange.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('scroll', place, { passive: true });
    return () => {
      pageChange.disconnect();
      window.removeEventListener('scroll', place);
    };
  }, [isShown, inDialog]);

  useEffect(() => {
    const focusToasts = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'F8') ref.current?.querySelector('button')?.focus();
    };
    document.addEventListener('keydown', focusToasts);
    return () => document.removeEventListener('keydown', focusToasts);
  }, []);

  // When the last toast disappears, the element that had the pointer or the focus gets no leave or blur event.
  useEffect(() => {
    if (items.length > 0) return;
    setPaused(false);
    if (document.activeElement === document.body) previousFocus.current?.focus();
    previousFocus.current = null;
  }, [items.length]);

  const enter = (event: FocusEvent) => {
    setPaused(true);
    const from = event.relatedTarget;
    if (from instanceof HTMLElement && !ref.current?.contains(from)) previousFocus.current = from;
  };
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !items[0]) return;
    event.preventDefault();
    event.stopPropagation();
    toast.dismiss(items[0].id);
  };
  const cards = (errors: boolean) =>
    items
      .filter((item) => (item.kind === 'error') === errors)
      .map((item) => <ToastCard key={item.id} item={item} paused={paused} />);

  return (
    <section
      ref={ref}
      aria-label="Notifications (F8)"
      onKeyDown={close}
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={enter}
      onBlur={() => setPaused(false)}
      className="print-hidden pointer-events-none fixed top-[max(0.75rem,env(safe-area-inset-top))] right-3 left-3 z-50 flex flex-col gap-2 sm:left-auto sm:w-96 lying:w-80"
    >
      <div aria-live="assertive" className="flex flex-col gap-2">
        {cards(true)}
      </div>
      <div aria-live="polite" className="flex flex-col gap-2">
        {cards(false)}
      </div>
    </section>
  );
}

export function ToastRegion() {
  const all = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  const phone = useMedia(PHONE);
  // One at a time on a phone, the newest first; the others wait.
  const items = phone ? all.slice(0, 1) : all;
  const modal = useTopModal();
  // An earlier toast stays on the page, where it covers nothing of the dialog; an error is always within reach.
  const isInDialog = ({ dialog, kind }: ToastItem) =>
    modal !== undefined && (dialog === modal || kind === 'error');
  return (
    <>
      <ToastStack items={items.filter((item) => !isInDialog(item))} />
      {modal && createPortal(<ToastStack items={items.filter(isInDialog)} inDialog />, modal)}
    </>
  );
}
