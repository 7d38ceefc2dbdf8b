import { useCallback, useEffect, useState } from 'react';
import type { ConsentWords } from '../../../domain/consent.ts';
import { isApiError } from '../../api/api-error.ts';
import { api, refusalOf } from '../../api/client.ts';
import { tabStorage } from '../../api/local-storage.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { showCheckoutFailure } from '../checkout-failure.ts';
import { base64url } from '../passkey.ts';
import type { Period } from '../period-choice.tsx';

export type Offer = Awaited<ReturnType<typeof api.barSignUps.readLink>>;

/** late: paid, but the confirmation takes longer than usual. */
export type JoinState = 'reading' | 'invalid' | 'expired' | 'failed' | 'late' | Offer;

const MAX_POLLS = 10;
const POLL_INTERVAL_MS = 1_000;

function problemOf(error: unknown): JoinState {
  if (refusalOf(error, 'LINK_EXPIRED')) return 'expired';
  return isApiError(error) && error.status < 500 && error.status !== 429 ? 'invalid' : 'failed';
}

export function useJoin(token: string, payment: 'done' | 'back' | undefined) {
  const [link] = useState<KeptLink | null>(() => (token ? keepLink(token) : readKeptLink()));
  const [state, setState] = useState<JoinState>(link ? 'reading' : payment === 'done' ? 'late' : 'invalid');
  const [round, setRound] = useState(0);
  const [words, setWords] = useState<Partial<Record<Period, ConsentWords>>>({});
  const [leaving, setLeaving] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads again
  useEffect(() => {
    if (!link) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const read = async (polls: number) => {
      try {
        const offer = await api.barSignUps.readLink(link, { signal: controller.signal });
        const waits = payment === 'done' && offer.state === 'offer';
        if (!waits) setState(offer);
        else if (polls < MAX_POLLS) timer = setTimeout(() => void read(polls + 1), POLL_INTERVAL_MS);
        else setState('late');
      } catch (error) {
        if (!controller.signal.aborted) setState(problemOf(error));
      }
    };
    void read(1);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [link, payment, round]);

  useOnReturn(() => setLeaving(false));

  const readAgain = useCallback(() => {
    setState('reading');
    setRound((count) => count + 1);
  }, []);

  const pay = async (period: Period, consentVersion: string) => {
    if (!link || leaving) return;
    setLeaving(true);
    try {
      const { url } = await api.barSignUps.pay({ ...link, period, consentVersion });
      // The button stays busy, because this page is still open while the browser fetches the next one.
      window.location.assign(url);
    } catch (error) {
      setLeaving(false);
      const current = refusalOf(error, 'CONSENT_OUTDATED')?.data.current;
      if (current) setWords((before) => ({ ...before, [period]: current }));
      else if (refusalOf(error, 'LINK_INVALID') || refusalOf(error, 'LINK_EXPIRED'))
        setState(problemOf(error));
      else if (refusalOf(error, 'ALREADY_MEMBER')) return readAgain();
      else if (refusalOf(error, 'TIER_NOT_AVAILABLE')) readAgain();
      showCheckoutFailure(error);
    }
  };

  return { state, words, leaving, pay, readAgain };
}

/** A link that this tab opened, with the secret that ties it to this browser. */
interface KeptLink {
  token: string;
  browser: string;
}

const KEY = 'cellar-door:payment-link';
const SECRET = /^[\w-]{43}$/;

const newSecret = () => base64url(crypto.getRandomValues(new Uint8Array(32)).buffer);

/** The link with which this tab went to payment; null if none. Survives the payment page, but not the tab. */
function readKeptLink(): KeptLink | null {
  const { token, browser } = (tabStorage.read(KEY) ?? {}) as Partial<KeptLink>;
  return token && browser && SECRET.test(token) && SECRET.test(browser) ? { token, browser } : null;
}

/** Stores a link for the return; the same link keeps its secret. */
function keepLink(token: string): KeptLink {
  const previous = readKeptLink();
  if (previous?.token === token) return previous;
  const link = { token, browser: newSecret() };
  // If this fails, the page cannot say on return whether it was paid; the email does.
  tabStorage.write(KEY, link);
  return link;
}
