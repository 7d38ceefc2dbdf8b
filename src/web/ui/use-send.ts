import { useContext, useRef, useState } from 'react';
import { SessionRefusal } from '../api/session-refusal.ts';

export interface SendFailure {
  text: string;
  /** Counted, so that screen readers read the same text again when it happens again. */
  times: number;
  error?: unknown;
}

/**
 * Sends one thing at a time: for buttons that act at once, and the base of useForm. `send` does nothing while it is busy
 * and resolves to whether the work succeeded. `onError` returns the text of the failure, or anything else if it is shown
 * elsewhere. `onSettled` runs after either outcome, while still busy.
 */
export function useSend() {
  const noteRefusal = useContext(SessionRefusal);
  const [failure, setFailure] = useState<SendFailure>({ text: '', times: 0 });
  const [busy, setBusy] = useState(false);
  // State is one render behind, and two presses within one must not send twice.
  const sending = useRef(false);

  const fail = (text: string, error?: unknown) =>
    setFailure(({ times }) => ({ text, times: times + 1, error }));

  const attempt = async (work: () => unknown, onError: (error: unknown) => unknown) => {
    try {
      await work();
      return true;
    } catch (error) {
      noteRefusal(error);
      const text = await onError(error);
      if (typeof text === 'string') fail(text, error);
      return false;
    }
  };

  const send = async (
    work: () => unknown,
    onError: (error: unknown) => unknown,
    onSettled?: () => unknown,
  ): Promise<boolean> => {
    if (sending.current) return false;
    sending.current = true;
    setBusy(true);
    fail('');
    try {
      const sent = await attempt(work, onError);
      await onSettled?.();
      return sent;
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return { busy, failure, fail, send };
}
