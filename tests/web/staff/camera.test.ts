import { expect, test, vi } from 'vitest';
import { openCamera } from '../../../src/web/staff/scanner/camera.ts';
import { hasTorch } from '../../../src/web/staff/scanner/use-torch.ts';

function fakeCamera() {
  const track = { stop: vi.fn() };
  const stream = { getTracks: () => [track] };
  const getUserMedia = vi.fn(async (_wanted: MediaStreamConstraints) => stream);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  const video = { srcObject: null as unknown, play: vi.fn(async () => undefined) };
  return { track, stream, getUserMedia, video, screen: video as unknown as HTMLVideoElement };
}

test('requests the rear camera, ideally 1280 x 720 at 30 fps, and plays it', async () => {
  const { getUserMedia, video, screen, stream } = fakeCamera();
  await openCamera(screen, new AbortController().signal);
  expect(getUserMedia).toHaveBeenCalledWith({
    audio: false,
    video: {
      facingMode: 'environment',
      width: { ideal: 1280 },
      height: { ideal: 720 },
      frameRate: { ideal: 30 },
    },
  });
  expect(video.srcObject).toBe(stream);
  expect(video.play).toHaveBeenCalledOnce();
});

test('is released when its panel closes', async () => {
  const { track, video, screen } = fakeCamera();
  const panel = new AbortController();
  await openCamera(screen, panel.signal);
  expect(track.stop).not.toHaveBeenCalled();
  panel.abort();
  expect(track.stop).toHaveBeenCalledOnce();
  expect(video.srcObject).toBeNull();
});

test('is released at once if the panel closed while permission was requested', async () => {
  const { track, video, screen } = fakeCamera();
  const panel = new AbortController();
  const opening = openCamera(screen, panel.signal);
  panel.abort(new Error('gone'));
  await expect(opening).rejects.toThrow('gone');
  expect(track.stop).toHaveBeenCalledOnce();
  expect(video.play).not.toHaveBeenCalled();
});

test('opening rejects on a page without a camera', async () => {
  const { screen } = fakeCamera();
  vi.stubGlobal('navigator', {});
  await expect(openCamera(screen, new AbortController().signal)).rejects.toThrow('No camera');
});

test.each([
  [{ torch: true }, true],
  [{ torch: [false, true] }, true],
  [{ torch: [false] }, false],
  [{}, false],
])('a camera that can %j has a light: %s', (capabilities, expected) => {
  expect(hasTorch({ getCapabilities: () => capabilities } as unknown as MediaStreamTrack)).toBe(expected);
  expect(hasTorch({} as MediaStreamTrack)).toBe(false);
});
