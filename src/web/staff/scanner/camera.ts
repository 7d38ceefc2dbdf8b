import { deviceSetting } from '../../api/device-setting.ts';
import type { Frame } from './frame.ts';

/** `ideal` gives the closest size a phone supports. */
const SIZE: MediaTrackConstraints = {
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 30 },
};

/** The id of the camera that staff chose on this device; '' for the rear one. */
export const chosenCamera = deviceSetting('cellar-door:camera', (value) =>
  typeof value === 'string' ? value : '',
);

/** The name of that camera, which finds it again where the browser gives each page other ids. */
export const chosenCameraLabel = deviceSetting('cellar-door:camera-label', (value) =>
  typeof value === 'string' ? value : '',
);

export interface CameraOption {
  id: string;
  label: string;
}

/** The cameras of this device. Browsers name them once one of them is allowed. */
export async function listCameras(): Promise<CameraOption[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices?.()) ?? [];
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId: id, label }, index) => ({ id, label: label || `Camera ${index + 1}` }));
}

export type CameraProblem = 'blocked' | 'none' | 'busy' | 'insecure' | 'unsupported' | 'stopped' | 'unknown';

const PROBLEMS: Record<string, CameraProblem> = {
  NotAllowedError: 'blocked',
  SecurityError: 'blocked',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Why a camera could not be opened. */
export function cameraProblem(error: unknown): CameraProblem {
  if (!navigator.mediaDevices) return window.isSecureContext ? 'unsupported' : 'insecure';
  return PROBLEMS[(error as Error | null)?.name ?? ''] ?? 'unknown';
}

async function requestCamera(camera: string, label: string): Promise<MediaStream> {
  const request = (constraints: MediaTrackConstraints) =>
    navigator.mediaDevices.getUserMedia({ audio: false, video: { ...constraints, ...SIZE } });
  const rear = () => request({ facingMode: 'environment' });
  const byId = (id: string) => request({ deviceId: { exact: id } });
  if (!camera) return rear();
  return byId(camera).catch(async (error: unknown) => {
    if (cameraProblem(error) === 'blocked') throw error;
    // Only an open camera lets the page read names.
    const stream = await rear();
    const cameras = await listCameras().catch(() => []);
    const renamed = cameras.some(({ id }) => id === camera)
      ? undefined
      : cameras.find((each) => each.label === label);
    if (!renamed || renamed.id === cameraId(stream)) return stream;
    // Some phones open one camera at a time.
    releaseCamera(stream);
    return byId(renamed.id).catch(rear);
  });
}

const cameraId = (stream: MediaStream): string | undefined =>
  stream.getVideoTracks()[0]?.getSettings?.().deviceId;

function releaseCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/**
 * Shows a camera in the video: the one with this id or else this name, or the rear one if that is gone or busy. Aborting
 * releases the camera, even while permission is still being requested.
 */
export async function openCamera(
  video: HTMLVideoElement,
  signal: AbortSignal,
  camera = '',
  label = '',
): Promise<MediaStream> {
  // Pages served without HTTPS have no camera.
  if (!navigator.mediaDevices)
    throw new Error('No camera is available: the browser has none, or the page is not served over HTTPS');
  const stream = await requestCamera(camera, label);
  const release = () => {
    releaseCamera(stream);
    if (video.srcObject === stream) video.srcObject = null;
  };
  if (signal.aborted) {
    release();
    throw signal.reason;
  }
  signal.addEventListener('abort', release, { once: true });
  video.srcObject = stream;
  // A lock or a call while the picture starts: `keepPlaying` plays it later.
  await video.play().catch((error: unknown) => {
    if ((error as Error | null)?.name !== 'AbortError') throw error;
  });
  return stream;
}

/** The longest that a camera takes to come back after an interruption, in milliseconds. */
const RETURN_MS = 2_000;

interface CameraEvents {
  /** What was seen before is out of date. */
  onInterrupted: () => void;
  /** The camera has to be opened again. */
  onLost: () => void;
  /** Another app took the camera, or it was unplugged. */
  onStopped: () => void;
}

/**
 * Plays the video again after a lock, a call or a turn of the phone, for which browsers pause the video, mute the track or
 * end it.
 */
export function keepPlaying(
  video: HTMLVideoElement,
  stream: MediaStream,
  signal: AbortSignal,
  { onInterrupted, onLost, onStopped }: CameraEvents,
): void {
  const tracks = stream.getVideoTracks();
  const hasEnded = () => tracks.some(({ readyState }) => readyState === 'ended');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    if (!document.hidden && (hasEnded() || video.paused || tracks.some(({ muted }) => muted))) onLost();
  };
  const resume = () => {
    onInterrupted();
    clearTimeout(timer);
    if (document.hidden) return;
    if (hasEnded()) return onLost();
    video.play().catch(() => undefined);
    timer = setTimeout(check, RETURN_MS);
  };
  // A page in the background learns of the end only when it is shown again.
  const end = () => (document.hidden ? onInterrupted() : onStopped());
  for (const track of tracks) {
    track.addEventListener('mute', resume, { signal });
    track.addEventListener('unmute', resume, { signal });
    track.addEventListener('ended', end, { signal });
  }
  video.addEventListener('pause', resume, { signal });
  document.addEventListener('visibilitychange', resume, { signal });
  window.addEventListener('orientationchange', resume, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  if (video.paused) resume();
}

export class FrameGrabber {
  private readonly canvas = document.createElement('canvas');

  grab(video: HTMLVideoElement): Frame | null {
    const { videoWidth: width, videoHeight: height } = video;
    // A paused video shows its last frame.
    if (video.paused || width === 0 || height === 0) return null;
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    const context = this.canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return null;
    context.drawImage(video, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { data, width, height };
  }
}
