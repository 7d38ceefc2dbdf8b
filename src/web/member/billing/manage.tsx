import type { LucideIcon } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';

/** What can be done about billing, behind one button of the card. Escape closes it and returns the focus. */
export function useManage() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  return { isOpen, toggle: () => setOpen(!isOpen), button, id, onKeyDown };
}

type Manage = ReturnType<typeof useManage>;

export function ManageButton({ manage: { isOpen, toggle, button, id, onKeyDown } }: { manage: Manage }) {
  return (
    <Button
      ref={button}
      variant="quiet"
      size="sm"
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      onClick={toggle}
      onKeyDown={onKeyDown}
      className="flex-row-reverse"
      icon={
        <Icon shape="down" size={18} className={classNames('transition-transform', isOpen && 'rotate-180')} />
      }
    >
      Manage
    </Button>
  );
}

export function ManagePanel({
  manage: { isOpen, id, onKeyDown },
  children,
}: {
  manage: Manage;
  children: ReactNode;
}) {
  if (!isOpen) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape on any button in it
    <div
      id={id}
      onKeyDown={onKeyDown}
      className="mb-4 flex flex-col rounded-md border border-line bg-surface-raised p-1 sm:flex-row sm:flex-wrap"
    >
      {children}
    </div>
  );
}

/** What can be ordered in the panel, below its items. */
export const ORDER_IN_PANEL = 'mx-3 mt-1 basis-full pt-3 pb-2 first:mt-0 first:border-t-0';

interface ManageItemProps extends Omit<ButtonProps, 'icon' | 'variant' | 'size'> {
  icon: LucideIcon;
}

export function ManageItem({ icon: Sign, children, ...rest }: ManageItemProps) {
  return (
    <Button
      {...rest}
      variant="quiet"
      size="sm"
      className="justify-start gap-2.5"
      icon={<Sign size={20} strokeWidth={1.75} aria-hidden="true" />}
    >
      {children}
    </Button>
  );
}

/**
 * Gives the focus to `button` if what a dialog was opened from is gone once it has closed, as a month that was skipped.
 * `state`: what the page shows, which the answer changes.
 */
export function useKeptFocus(button: RefObject<HTMLButtonElement | null>, isAsking: boolean, state: unknown) {
  const asked = useRef<{ state: unknown } | null>(null);
  useEffect(() => {
    if (isAsking) asked.current = { state };
    else if (asked.current) {
      const isLost = document.activeElement === document.body;
      if (isLost) button.current?.focus();
      // Otherwise the answer may come after the dialog has closed.
      if (isLost || asked.current.state !== state) asked.current = null;
    }
  }, [button, isAsking, state]);
}
