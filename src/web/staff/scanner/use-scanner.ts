import { type RefObject, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { useDeviceSetting } from '../../api/device-setting.ts';
import { logFailure } from '../../api/log-failure.ts';
import { playFeedback } from '../feedback/feedback.ts';
import {
  type CameraOption,
  cameraProblem,
  chosenCamera,
  chosenCameraLabel,
  FrameGrabber,
  keepPlaying,
  listCameras,
  openCamera,
} from './camera.ts';
import { decode } from './decoder.ts';
import { TREATMENTS } from './frame.ts';
import { lookInTurn, NO_CODE, type Reading } from './nearest-code.ts';
import { INITIAL_STATE, nextScannerState } from './scanner-state.ts';
import { useTorch } from './use-torch.ts';

const SCAN_INTERVAL_MS = 100;
const ERROR_SHOWN_MS = 3000;

/** Each attempt takes a new frame: the tap shakes the phone, so a later frame is often sharper. */
function capture(video: HTMLVideoElement, grabber: FrameGrabber, signal: AbortSignal): Promise<Reading> {
  return lookInTurn(TREATMENTS, async (treatment) => {
    const frame = signal.aborted ? null : grabber.grab(video);
    return frame ? decode(frame, 'capture', treatment) : NO_CODE;
  });
}

export function useScanner(video: RefObject<HTMLVideoElement | null>, onDecoded: (text: string) => void) {
  const [state, send] = useReducer(nextScannerState, INITIAL_STATE);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const [cameras, setCameras] = useState<CameraOption[]>([]);
  // Counts how often the camera was opened again.
  const [round, setRound] = useState(0);
  const camera = useDeviceSetting(chosenCamera);
  const grabber = useRef<FrameGrabber>(null);
  const interruptions = useRef(0);
  const handleDecoded = useEffectEvent(onDecoded);
  const { phase, unreadable } = state;
  // The camera is on from the start until a code is read, permission is denied or the panel closes.
  const cameraOn = phase !== 'done' && phase !== 'denied';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round opens the camera again
  useEffect(() => {
    const element = video.current;
    if (!cameraOn || !element) return;
    const controller = new AbortController();
    const { signal } = controller;
    openCamera(element, signal, camera, chosenCameraLabel.read())
      .then((stream) => {
        if (signal.aborted) return;
        keepPlaying(element, stream, signal, {
          onInterrupted: () => {
            interruptions.current += 1;
            send({ type: 'interrupted' });
          },
          onLost: () => {
            send({ type: 'retry' });
            setRound((before) => before + 1);
          },
          onStopped: () => send({ type: 'denied', problem: 'stopped' }),
        });
        setTrack(stream.getVideoTracks()[0] ?? null);
        send({ type: 'opened' });
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        logFailure('Starting the camera', error);
        send({ type: 'denied', problem: cameraProblem(error) });
      })
      .then(listCameras)
      .then(
        (list) => signal.aborted || setCameras(list),
        () => undefined,
      );
    return () => {
      controller.abort();
      setTrack(null);
    };
  }, [cameraOn, video, camera, round]);

  useEffect(() => {
    const element = video.current;
    if (phase !== 'scanning' || !element) return;
    grabber.current ??= new FrameGrabber();
    const currentGrabber = grabber.current;
    let decoding = false;
    let active = true;
    const scan = async () => {
      if (decoding || document.hidden) return;
      const frame = currentGrabber.grab(element);
      if (!frame) return;
      decoding = true;
      const before = interruptions.current;
      const { text, several } = await decode(frame, 'scan');
      decoding = false;
      if (active && before === interruptions.current) send({ type: 'scanned', text, several });
    };
    const timer = setInterval(scan, SCAN_INTERVAL_MS);
    return () => {
      active = false;
      clearInterval(timer);
    };
  }, [phase, video]);

  useEffect(() => {
    const element = video.current;
    if (phase !== 'capturing' || !element) return;
    grabber.current ??= new FrameGrabber();
    const controller = new AbortController();
    capture(element, grabber.current, controller.signal).then(({ text, several }) => {
      if (controller.signal.aborted) return;
      send({ type: 'captured', text, several });
      if (text) handleDecoded(text);
      else playFeedback('unreadable');
    });
    return () => controller.abort();
  }, [phase, video]);

  useEffect(() => {
    if (!unreadable) return;
    const timer = setTimeout(() => send({ type: 'errorShown' }), ERROR_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [unreadable]);

  return {
    state,
    torch: useTorch(track),
    /** The cameras to choose from, and the one in use. */
    cameras: { options: cameras, current: track?.getSettings?.().deviceId ?? camera },
    chooseCamera: (id: string) => {
      chosenCameraLabel.write(cameras.find((each) => each.id === id)?.label ?? '');
      chosenCamera.write(id);
      send({ type: 'retry' });
    },
    capture: () => send({ type: 'capture' }),
    retry: () => send({ type: 'retry' }),
  };
}
