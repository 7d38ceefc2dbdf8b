import { serverMessage } from '../api/api-error.ts';
import { createStore } from '../api/store.ts';
import { topModal } from './modal-stack.ts';

type ToastKind = 'success' | 'error' | 'info';

export interface ToastOptions {
  description?: string;
  /** The error behind the toast; an unexpected one shows its reference. */
  of?: unknown;
  /** A button, e.g. { label: 'Undo', onClick }. Pressing it closes the toast. */
  action?: { label: string; onClick: () => void };
  /** The id of the reported act, such as a request id: a later outcome of the same act replaces the toast. */
  act?: string;
  /** Belongs to the next page, and disappears with it. Others disappear with the page they appeared on. */
  nextPage?: boolean | 'arrived';
  /** On a phone the title takes one line, so that it covers no more than the page's title. */
  oneLine?: boolean;
  /** Milliseconds; Infinity keeps the toast until it is dismissed. */
  duration?: number;
}

export interface ToastItem extends ToastOptions {
  id: number;
  kind: ToastKind;
  title: string;
  duration: number;
  /** The dialog that was open when the toast appeared. */
  dialog: HTMLDialogElement | undefined;
}

const DURATIONS_MS: Record<ToastKind, number> = { success: 5000, info: 6000, error: 9000 };
const MAX_SHOWN = 4;

let lastId = 0;

export const toastStore = createStore<readonly ToastItem[]>([]);

function show(kind: ToastKind, title: string, options: ToastOptions = {}): number {
  lastId += 1;
  const duration = options.duration ?? (options.action ? 10_000 : DURATIONS_MS[kind]);
  const item: ToastItem = { ...options, id: lastId, kind, title, duration, dialog: topModal() };
  // A repeated toast replaces the first instead of piling up.
  const isSame = (other: ToastItem) =>
    (other.kind === kind && other.title === title) || (item.act !== undefined && other.act === item.act);
  const others = toastStore.get().filter((other) => !isSame(other));
  toastStore.set([item, ...others].slice(0, MAX_SHOWN));
  return item.id;
}

export const toast = {
  success: (title: string, options?: ToastOptions) => show('success', title, options),
  error: (title: string, options?: ToastOptions) => show('error', title, options),
  info: (title: string, options?: ToastOptions) => show('info', title, options),
  /** Call after a change of page; `redirected`: another page took the place of the one left, whose toasts move on to it. */
  leavePage: (redirected = false) => {
    const staying = toastStore
      .get()
      .filter(({ nextPage }) => nextPage === true || (redirected && nextPage === 'arrived'));
    toastStore.set(staying.map((item) => ({ ...item, nextPage: 'arrived' as const })));
  },
  dismiss: (id?: number) =>
    toastStore.set(id === undefined ? [] : toastStore.get().filter((item) => item.id !== id)),
};

/** An `onError` of useSend that shows the same words, whatever went wrong. */
export const errorToast = (description: string) => (error: unknown) => {
  toast.error('Error', { description, of: error });
};

/** For useSend: shows why something was not sent, with the server's message or else the advice. */
export const failureToast = (title: string, advice?: string) => (error: unknown) => {
  toast.error(title, { description: serverMessage(error) ?? advice, of: error });
};
