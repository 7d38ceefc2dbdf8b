import { useRef, useState } from 'react';

/** Why something was not sent; no text for no error. */
export interface SendFailure {
  text: string;
  /** Counted, so that screen readers read the same text again when it happens again. */
  times: number;
  /** What was thrown, if anything. */
  error?: unknown;
}

/**
 * Sends one thing at a time: for buttons that act at once, and the base of useForm. `send` does nothing while it is busy
 * and resolves to whether the work succeeded; `onError` gives the text of the failure, or nothing if it is shown elsewhere.
 */
export function useSend() {
  const [failure, setFailure] = useState<SendFailure>({ text: '', times: 0 });
  const [busy, setBusy] = useState(false);
  // State is one render behind, and two presses within one must not send twice.
  const sending = useRef(false);

  const fail = (text: string, error?: unknown) =>
    setFailure(({ times }) => ({ text, times: times + 1, error }));

  const send = async (
    work: () => unknown,
    onError: (error: unknown) => string | undefined,
  ): Promise<boolean> => {
    if (sending.current) return false;
    sending.current = true;
    setBusy(true);
    fail('');
    try {
      await work();
      return true;
    } catch (error) {
      const text = onError(error);
      if (text) fail(text, error);
      return false;
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return { busy, failure, fail, send };
}
