import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { openModal } from './modal-stack.ts';

export interface ModalProps {
  title: ReactNode;
  description?: ReactNode;
  /** Called on Escape, a click outside, and the close button. */
  onClose: () => void;
  /** The buttons at the bottom, the main one last. Where they do not fit in one row, the last is on top. */
  actions?: ReactNode;
  children?: ReactNode;
  /** `wide` for a form of two columns or a long text. */
  width?: 'normal' | 'wide';
}

interface ModalFrameProps extends ModalProps {
  /** An alert stays open on a click outside it. */
  role: 'dialog' | 'alertdialog';
  corner?: ReactNode;
}

/** For a button's ref: an opening dialog focuses the element with this attribute, which React does not render. */
export const focusFirst = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '');

/** A sheet from the bottom on phones, a centered panel elsewhere. The <dialog> keeps the focus inside. */
export function Modal(props: ModalFrameProps) {
  const { role, title, description, onClose, actions, children, width = 'normal', corner } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => (ref.current ? openModal(ref.current) : undefined), []);

  const cancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    // A file picker inside the dialog fires the same event.
    if (event.target !== ref.current) return;
    event.preventDefault();
    onClose();
  };
  const press = (event: MouseEvent<HTMLDialogElement>) => {
    if (role === 'dialog' && event.target === ref.current) onClose();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users press Escape, which arrives as cancel
    <dialog
      ref={ref}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={cancel}
      onClick={press}
      className="modal"
    >
      <div
        className={classNames(
          'relative flex max-h-[92dvh] w-full animate-rise flex-col overflow-hidden rounded-t-xl border border-line bg-surface-raised shadow-raised sm:max-h-full sm:rounded-lg',
          width === 'wide' ? 'sm:max-w-reading' : 'sm:max-w-narrow lying:max-w-reading!',
        )}
      >
        <div className="flex items-start justify-between gap-3 px-6 pt-[min(1.5rem,3dvh)] sm:px-7">
          <h2 id={`${id}-title`} className="text-xl sm:text-2xl">
            {title}
          </h2>
          {corner}
        </div>
        <div
          className={classNames(
            'modal-body flex scroll-pt-8 scroll-pb-20 flex-col gap-4 overflow-y-auto overscroll-contain px-6 pb-6 sm:px-7',
            description ? 'pt-2' : 'pt-4',
          )}
        >
          {description && (
            <p id={`${id}-description`} className="text-ink-muted">
              {description}
            </p>
          )}
          {children}
        </div>
        {actions && (
          <div className="flex flex-wrap-reverse justify-end gap-3 border-line border-t bg-surface px-6 pt-[min(1rem,2dvh)] pb-[max(min(1rem,2dvh),env(safe-area-inset-bottom))] *:flex-auto max-[24rem]:gap-2 max-[24rem]:px-4 max-[24rem]:*:px-3 sm:px-7 sm:*:flex-none">
            {actions}
          </div>
        )}
      </div>
    </dialog>
  );
}
