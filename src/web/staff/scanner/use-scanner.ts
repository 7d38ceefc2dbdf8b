import type { RefObject } from 'react';
import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { logFailure } from '../../api/log-failure.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { FrameGrabber, openCamera } from './camera.ts';
import { decode } from './decoder.ts';
import { TREATMENTS } from './frame.ts';
import { nextScannerState, startingScanner } from './scanner-state.ts';

const SCAN_INTERVAL_MS = 100;
const ERROR_SHOWN_MS = 3000;

/** Each attempt on a fresh frame: the tap itself shakes the phone, the next frame is often the sharp one. */
async function capture(video: HTMLVideoElement, grabber: FrameGrabber, signal: AbortSignal) {
  for (const treatment of TREATMENTS) {
    const picture = grabber.grab(video);
    const text = picture && (await decode(picture, 'capture', treatment));
    if (signal.aborted) return null;
    if (text) return text;
  }
  return null;
}

/** Camera, scanning and capture of one opened panel. */
export function useScanner(video: RefObject<HTMLVideoElement | null>, onDecoded: (text: string) => void) {
  const [state, send] = useReducer(nextScannerState, startingScanner);
  const grabber = useRef<FrameGrabber>(null);
  const handOver = useEffectEvent(onDecoded);
  const { phase, unreadable } = state;
  // One stay at the camera: from the start until a code is read, permission is missing or the panel is gone.
  const open = phase !== 'done' && phase !== 'denied';

  useEffect(() => {
    const screen = video.current;
    if (!open || !screen) return;
    const stay = new AbortController();
    openCamera(screen, stay.signal)
      .then((stream) => {
        for (const track of stream.getVideoTracks()) {
          // The system takes the camera away: another app, a pulled plug.
          track.addEventListener('ended', () => !stay.signal.aborted && send({ type: 'denied' }));
        }
        if (!stay.signal.aborted) send({ type: 'opened' });
      })
      .catch((error: unknown) => {
        if (stay.signal.aborted) return;
        logFailure('Camera', error);
        send({ type: 'denied' });
      });
    return () => stay.abort();
  }, [open, video]);

  useEffect(() => {
    const screen = video.current;
    if (phase !== 'scanning' || !screen) return;
    grabber.current ??= new FrameGrabber();
    const eye = grabber.current;
    let looking = false;
    let live = true;
    const scan = async () => {
      if (looking || document.hidden) return;
      const picture = eye.grab(screen);
      if (!picture) return;
      looking = true;
      const text = await decode(picture, 'scan');
      looking = false;
      if (live) send({ type: 'scanned', text });
    };
    const timer = setInterval(scan, SCAN_INTERVAL_MS);
    return () => {
      live = false;
      clearInterval(timer);
    };
  }, [phase, video]);

  useEffect(() => {
    const screen = video.current;
    if (phase !== 'capturing' || !screen) return;
    grabber.current ??= new FrameGrabber();
    const press = new AbortController();
    capture(screen, grabber.current, press.signal).then((text) => {
      if (press.signal.aborted) return;
      send({ type: 'captured', text });
      if (text) handOver(text);
      else playFeedback('unreadable');
    });
    return () => press.abort();
  }, [phase, video]);

  useEffect(() => {
    if (!unreadable) return;
    const timer = setTimeout(() => send({ type: 'errorShown' }), ERROR_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [unreadable]);

  return {
    state,
    capture: () => send({ type: 'capture' }),
    retry: () => send({ type: 'retry' }),
  };
}
