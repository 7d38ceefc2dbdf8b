import { deviceSetting } from '../../api/device-setting.ts';

/** For staff who are not looking at the screen: each kind sounds and vibrates differently. */
export type Feedback = 'accepted' | 'refused' | 'unreadable';

interface Note {
  frequencyHz: number;
  /** Both in seconds, with the start counted from now. */
  start: number;
  duration: number;
  wave: OscillatorType;
}

const SOUNDS: Record<Feedback, Note[]> = {
  accepted: [
    { frequencyHz: 659, start: 0, duration: 0.11, wave: 'sine' },
    { frequencyHz: 988, start: 0.1, duration: 0.18, wave: 'sine' },
  ],
  refused: [
    { frequencyHz: 175, start: 0, duration: 0.16, wave: 'sawtooth' },
    { frequencyHz: 175, start: 0.22, duration: 0.24, wave: 'sawtooth' },
  ],
  // Soft and falling: the card is fine, just try again.
  unreadable: [
    { frequencyHz: 392, start: 0, duration: 0.09, wave: 'triangle' },
    { frequencyHz: 294, start: 0.09, duration: 0.16, wave: 'triangle' },
  ],
};

const VIBRATIONS_MS: Record<Feedback, number[]> = {
  accepted: [70],
  refused: [180, 90, 180],
  unreadable: [40, 50, 40],
};

export const muted = deviceSetting('cellar-door:muted', (value) => value === true);

const VOLUME = 0.16;
let context: AudioContext | null = null;

/** Browsers allow sound only after the user has touched the page, and log a warning about earlier attempts. */
function wasTouched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? false;
}

async function startedContext(): Promise<AudioContext> {
  context ??= new AudioContext();
  if (context.state !== 'running') await context.resume();
  return context;
}

/** A sound that starts later than this, in milliseconds, would seem to be about the next card. */
const LATE_MS = 1_000;

async function play(notes: Note[]): Promise<void> {
  const since = performance.now();
  const context = await startedContext();
  if (performance.now() - since > LATE_MS) return;
  const now = context.currentTime + 0.01;
  for (const { frequencyHz, start, duration, wave } of notes) {
    const tone = new OscillatorNode(context, { type: wave, frequency: frequencyHz });
    const gain = new GainNode(context, { gain: 0 });
    // Fade in and out: a sudden edge clicks.
    gain.gain.setValueAtTime(0, now + start);
    gain.gain.linearRampToValueAtTime(VOLUME, now + start + 0.012);
    gain.gain.linearRampToValueAtTime(0, now + start + duration);
    tone.connect(gain).connect(context.destination);
    tone.start(now + start);
    tone.stop(now + start + duration);
  }
}

/** Plays a sound and vibrates, unless this device is muted. Never throws. */
export function playFeedback(feedback: Feedback): void {
  if (muted.read() || !wasTouched()) return;
  navigator.vibrate?.(VIBRATIONS_MS[feedback]);
  if (typeof AudioContext === 'undefined') return;
  // Without a speaker, the screen has to be enough.
  play(SOUNDS[feedback]).catch(() => undefined);
}

/**
 * Starts the sound within taps and key presses: Safari allows it nowhere else, and a code is verified after them. Returns a
 * function that stops listening.
 */
export function readySound(): () => void {
  const listening = new AbortController();
  const start = () => {
    if (!muted.read() && typeof AudioContext !== 'undefined') startedContext().catch(() => undefined);
  };
  for (const press of ['click', 'keydown'])
    window.addEventListener(press, start, { capture: true, signal: listening.signal });
  return () => listening.abort();
}
