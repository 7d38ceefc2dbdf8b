import type { Frame } from './frame.ts';

/** The rear camera where there is a choice; what a phone cannot do exactly it may do nearly. */
const wanted: MediaStreamConstraints = {
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

/** Shows the camera in the video. Whoever aborts meanwhile, or afterwards, has it released. */
export async function openCamera(video: HTMLVideoElement, signal: AbortSignal): Promise<MediaStream> {
  // Missing altogether on pages that are not served securely.
  if (!navigator.mediaDevices) throw new Error('This browser offers no camera here');
  const stream = await navigator.mediaDevices.getUserMedia(wanted);
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

/** Takes pictures of a playing video, always through the same canvas. */
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
