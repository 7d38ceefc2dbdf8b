import { describe, expect, test, vi } from 'vitest';
import {
  cameraProblem,
  keepPlaying,
  listCameras,
  openCamera,
} from '../../../src/web/staff/scanner/camera.ts';
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

const REAR = expect.objectContaining({ facingMode: 'environment' });

describe('a chosen camera', () => {
  test('is requested by its id, without a side', async () => {
    const { getUserMedia, screen } = fakeCamera();
    await openCamera(screen, new AbortController().signal, 'desk');
    const [{ video }] = getUserMedia.mock.calls[0] ?? [{}];
    expect(video).toMatchObject({ deviceId: { exact: 'desk' }, width: { ideal: 1280 } });
    expect(video).not.toHaveProperty('facingMode');
  });

  test.each(['OverconstrainedError', 'NotFoundError', 'NotReadableError'])(
    'that fails with %s gives way to the rear one',
    async (name) => {
      const { getUserMedia, screen, stream } = fakeCamera();
      getUserMedia.mockRejectedValueOnce(new DOMException('', name));
      expect(await openCamera(screen, new AbortController().signal, 'desk')).toBe(stream);
      expect(getUserMedia).toHaveBeenLastCalledWith({ audio: false, video: REAR });
    },
  );

  /** Cameras whose ids changed since one was chosen, as in browsers that give each page new ones. */
  function renamedCameras() {
    const { track, getUserMedia, screen, ...rest } = fakeCamera();
    const cameras = { 'back-2': 'Back Camera', 'desk-2': 'Desk Camera' };
    const streamOf = (deviceId: string) => {
      const tracks = [{ ...track, getSettings: () => ({ deviceId }) }];
      return { getTracks: () => tracks, getVideoTracks: () => tracks };
    };
    getUserMedia.mockImplementation(async ({ video }) => {
      const { deviceId } = video as { deviceId?: { exact: string } };
      const id = deviceId?.exact ?? 'back-2';
      if (!(id in cameras)) throw new DOMException('', 'OverconstrainedError');
      return streamOf(id);
    });
    const enumerateDevices = async () =>
      Object.entries(cameras).map(([deviceId, label]) => ({ kind: 'videoinput', deviceId, label }));
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices } });
    const opened = async (label: string) => {
      const stream = await openCamera(screen, new AbortController().signal, 'desk', label);
      return stream.getVideoTracks()[0]?.getSettings().deviceId;
    };
    return { track, getUserMedia, opened, ...rest };
  }

  test('is found by its name where the browser changes ids, and the rear one is released first', async () => {
    const { track, opened } = renamedCameras();
    expect(await opened('Desk Camera')).toBe('desk-2');
    expect(track.stop).toHaveBeenCalledOnce();
  });

  test.each(['Back Camera', 'Another', ''])(
    'that was named "%s" gives way to the rear one',
    async (label) => {
      const { track, opened, getUserMedia } = renamedCameras();
      expect(await opened(label)).toBe('back-2');
      expect(track.stop).not.toHaveBeenCalled();
      expect(getUserMedia).toHaveBeenCalledTimes(2);
    },
  );

  test('that is blocked does not ask a second time', async () => {
    const { getUserMedia, screen } = fakeCamera();
    getUserMedia.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await expect(openCamera(screen, new AbortController().signal, 'desk')).rejects.toThrow();
    expect(getUserMedia).toHaveBeenCalledOnce();
  });
});

test('lists cameras only, by name or number', async () => {
  const device = (kind: string, deviceId: string, label: string) => ({ kind, deviceId, label });
  const enumerateDevices = async () => [
    device('audioinput', 'mic', 'Microphone'),
    device('videoinput', 'back', 'Back Camera'),
    device('videoinput', 'front', ''),
    device('videoinput', '', ''),
  ];
  vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices } });
  expect(await listCameras()).toEqual([
    { id: 'back', label: 'Back Camera' },
    { id: 'front', label: 'Camera 2' },
  ]);
});

describe('an interruption', () => {
  /** A playing camera, with the events that its panel received. */
  function play(paused = false) {
    vi.useFakeTimers();
    const video = Object.assign(new EventTarget(), { paused, play: vi.fn(async () => undefined) });
    video.play.mockImplementation(async () => {
      video.paused = false;
    });
    const track = Object.assign(new EventTarget(), { readyState: 'live', muted: false });
    const events: string[] = [];
    const panel = new AbortController();
    keepPlaying(
      video as unknown as HTMLVideoElement,
      { getVideoTracks: () => [track] } as unknown as MediaStream,
      panel.signal,
      {
        onInterrupted: () => events.push('interrupted'),
        onLost: () => events.push('lost'),
        onStopped: () => events.push('stopped'),
      },
    );
    const hide = (hidden: boolean) => {
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const pause = () => {
      video.paused = true;
      video.dispatchEvent(new Event('pause'));
    };
    return { video, track, events, panel, hide, pause };
  }

  test.each<[string, (camera: ReturnType<typeof play>) => unknown]>([
    ['a pause', ({ pause }) => pause()],
    ['a mute', ({ track }) => track.dispatchEvent(new Event('mute'))],
    ['an unmute', ({ track }) => track.dispatchEvent(new Event('unmute'))],
    ['a turn of the phone', () => window.dispatchEvent(new Event('orientationchange'))],
    ['a page that is shown again', ({ hide }) => hide(false)],
  ])('by %s forgets what was seen and plays again', (_by, interrupt) => {
    const camera = play();
    interrupt(camera);
    expect(camera.events).toEqual(['interrupted']);
    expect(camera.video.play).toHaveBeenCalledOnce();
    vi.runAllTimers();
    expect(camera.events).toEqual(['interrupted']);
  });

  test('while the camera opened is no failure, and the picture plays then', async () => {
    const { video: opening, screen, stream } = fakeCamera();
    opening.play.mockRejectedValueOnce(new DOMException('interrupted by pause()', 'AbortError'));
    expect(await openCamera(screen, new AbortController().signal)).toBe(stream);
    const { video, events } = play(true);
    expect(video.play).toHaveBeenCalledOnce();
    expect(video.paused).toBe(false);
    await vi.runAllTimersAsync();
    expect(events).not.toContain('lost');
  });

  test('by a lock plays again when the page is shown', () => {
    const { video, pause, hide } = play();
    hide(true);
    pause();
    expect(video.play).not.toHaveBeenCalled();
    hide(false);
    expect(video.paused).toBe(false);
  });

  test.each<[string, (camera: ReturnType<typeof play>) => unknown]>([
    ['muted', ({ track }) => Object.assign(track, { muted: true })],
    ['paused', ({ video }) => video.play.mockRejectedValue(new DOMException('', 'NotAllowedError'))],
  ])('that leaves the camera %s opens it again', async (_how, leave) => {
    const camera = play();
    leave(camera);
    camera.hide(true);
    camera.pause();
    camera.hide(false);
    await vi.runAllTimersAsync();
    expect(camera.events.filter((it) => it === 'lost')).toHaveLength(1);
  });

  test('that ended the track in the background opens the camera again', () => {
    const { track, events, hide } = play();
    hide(true);
    track.readyState = 'ended';
    track.dispatchEvent(new Event('ended'));
    expect(events).not.toContain('stopped');
    hide(false);
    expect(events.at(-1)).toBe('lost');
  });

  test('by another app in plain view is a stop', () => {
    const { track, events } = play();
    track.readyState = 'ended';
    track.dispatchEvent(new Event('ended'));
    expect(events).toEqual(['stopped']);
  });

  test('after the panel has closed changes nothing', () => {
    const { video, events, panel, pause } = play();
    pause();
    panel.abort();
    events.length = 0;
    pause();
    vi.runAllTimers();
    expect(events).toEqual([]);
    expect(video.play).toHaveBeenCalledOnce();
  });
});

test.each([
  ['NotAllowedError', 'blocked'],
  ['SecurityError', 'blocked'],
  ['NotFoundError', 'none'],
  ['OverconstrainedError', 'none'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
  ['TypeError', 'unknown'],
])('%s means that the camera is %s', (name, problem) => {
  fakeCamera();
  expect(cameraProblem(new DOMException('', name))).toBe(problem);
});

test.each([
  [false, 'insecure'],
  [true, 'unsupported'],
])('a page without cameras, over HTTPS %s, is %s', (isSecureContext, problem) => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('isSecureContext', isSecureContext);
  expect(cameraProblem(new Error('No camera'))).toBe(problem);
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
