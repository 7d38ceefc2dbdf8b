import { beforeEach, expect, test, vi } from 'vitest';

/** Stands for the audio of iOS Safari: it starts within a tap only, and a start before waits for one. */
function tapToHear() {
  const sound = { running: false, inTap: false, notes: 0, contexts: 0, started: Promise.resolve() };
  const waiting: (() => void)[] = [];
  const start = () => {
    sound.running = true;
    for (const resolve of waiting.splice(0)) resolve();
  };
  class Context {
    readonly destination = {};
    readonly currentTime = 0;
    constructor() {
      sound.contexts += 1;
    }
    get state() {
      return sound.running ? 'running' : 'suspended';
    }
    resume() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      sound.started = promise;
      if (sound.inTap) start();
      return promise;
    }
  }
  class Gain {
    readonly gain = { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined };
    connect = () => undefined;
  }
  class Tone {
    connect = (to: unknown) => to;
    start = () => {
      sound.notes += 1;
    };
    stop = () => undefined;
  }
  vi.stubGlobal('AudioContext', Context);
  vi.stubGlobal('GainNode', Gain);
  vi.stubGlobal('OscillatorNode', Tone);
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } });
  const tap = () => {
    sound.inTap = true;
    window.dispatchEvent(new Event('click'));
    sound.inTap = false;
  };
  return { sound, tap, start };
}

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

const load = () => import('../../../src/web/staff/feedback/feedback.ts');

test('a sound is heard long after the tap that readied it', async () => {
  const { sound, tap } = tapToHear();
  const { playFeedback, readySound } = await load();
  const stop = readySound();
  tap();
  playFeedback('accepted');
  await sound.started;
  expect(sound.notes).toBe(2);
  stop();
});

test('a sound that could not start in time is dropped, and does not tell of the next card', async () => {
  const { sound, start } = tapToHear();
  const { playFeedback } = await load();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  playFeedback('refused');
  clock.mockReturnValue(5_000);
  start();
  await sound.started;
  expect(sound.notes).toBe(0);
});

test('a muted device readies no sound, nor does a page that was left', async () => {
  const { sound, tap } = tapToHear();
  const { muted, readySound } = await load();
  const stop = readySound();
  muted.write(true);
  tap();
  muted.write(false);
  stop();
  tap();
  expect(sound.contexts).toBe(0);
});
