import type { Frame } from './frame.ts';

/** Prefers the rear camera. `ideal` gives the closest size a phone supports. */
const CONSTRAINTS: MediaStreamConstraints = {
  audio: false,
  video: {
    facingMode: 'environment',
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 30 },
  },
};

function releaseCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Shows the camera in the video. Aborting releases the camera, even while permission is still being requested. */
export async function openCamera(video: HTMLVideoElement, signal: AbortSignal): Promise<MediaStream> {
  // Pages served without HTTPS have no camera.
  if (!navigator.mediaDevices)
    throw new Error('No camera is available: the browser has none, or the page is not served over HTTPS');
  const stream = await navigator.mediaDevices.getUserMedia(CONSTRAINTS);
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
  await video.play();
  return stream;
}

export class FrameGrabber {
  private readonly canvas = document.createElement('canvas');

  grab(video: HTMLVideoElement): Frame | null {
    const { videoWidth: width, videoHeight: height } = video;
    if (width === 0 || height === 0) return null;
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    const context = this.canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return null;
    context.drawImage(video, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { data, width, height };
  }
}
