import { isMuted } from './mute.ts';

/** What happened, for ears and hands that are busy: each sounds and shakes unlike the others. */
export type Feedback = 'accepted' | 'refused' | 'unreadable';

interface Note {
  hertz: number;
  /** Seconds from now. */
  at: number;
  lasts: number;
  shape: OscillatorType;
}

const sounds: Record<Feedback, Note[]> = {
  // Two steps up.
  accepted: [
    { hertz: 659, at: 0, lasts: 0.11, shape: 'sine' },
    { hertz: 988, at: 0.1, lasts: 0.18, shape: 'sine' },
  ],
  // Low, twice.
  refused: [
    { hertz: 175, at: 0, lasts: 0.16, shape: 'sawtooth' },
    { hertz: 175, at: 0.22, lasts: 0.24, shape: 'sawtooth' },
  ],
  // One dull knock that falls: nothing wrong with the card, try again.
  unreadable: [
    { hertz: 392, at: 0, lasts: 0.09, shape: 'triangle' },
    { hertz: 294, at: 0.09, lasts: 0.16, shape: 'triangle' },
  ],
};

const shakes: Record<Feedback, number[]> = {
  accepted: [70],
  refused: [180, 90, 180],
  unreadable: [40, 50, 40],
};

const LOUDNESS = 0.16;
let context: AudioContext | null = null;

/** Browsers let a page be heard only after somebody has touched it, and complain about trying before. */
function wasTouched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? false;
}

async function play(notes: Note[]): Promise<void> {
  context ??= new AudioContext();
  if (context.state !== 'running') await context.resume();
  const start = context.currentTime + 0.01;
  for (const { hertz, at, lasts, shape } of notes) {
    const tone = new OscillatorNode(context, { type: shape, frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    // Faded in and out: a sudden edge clicks.
    volume.gain.setValueAtTime(0, start + at);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + at + 0.012);
    volume.gain.linearRampToValueAtTime(0, start + at + lasts);
    tone.connect(volume).connect(context.destination);
    tone.start(start + at);
    tone.stop(start + at + lasts);
  }
}

/** Sounds and shakes, unless this device is muted or nobody has touched the page yet. Never in anybody's way. */
export function playFeedback(what: Feedback): void {
  if (isMuted() || !wasTouched()) return;
  navigator.vibrate?.(shakes[what]);
  if (typeof AudioContext === 'undefined') return;
  // Without a loudspeaker the words on the screen have to do.
  play(sounds[what]).catch(() => undefined);
}
