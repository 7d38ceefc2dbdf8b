import { createStore } from './store.ts';

/** An answer of our server came although the browser says that it is offline, as it does in some VPNs and on some Linux. */
const answered = createStore(false);

/** Whether our server may be reached: as the browser says, or as its last answer showed. */
export const isOnline = (): boolean => navigator.onLine || answered.get();

export function subscribeOnline(listener: () => void): () => void {
  const forget = () => {
    answered.set(false);
    listener();
  };
  window.addEventListener('online', listener);
  window.addEventListener('offline', forget);
  const unsubscribe = answered.subscribe(listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', forget);
    unsubscribe();
  };
}

/** Notes whether a call that began while the browser said offline got an answer. Rethrows. */
export async function withReach(answer: Promise<Response>): Promise<Response> {
  if (navigator.onLine) {
    if (answered.get()) answered.set(false);
    return answer;
  }
  const isAnswered = await answer.then(
    () => true,
    () => false,
  );
  answered.set(isAnswered);
  return answer;
}
