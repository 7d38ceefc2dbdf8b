import { describe, expect, test } from 'vitest';
import type { ScannerEvent, ScannerState } from '../../../src/web/staff/scanner/scanner-state.ts';
import {
  INITIAL_STATE,
  MISSES_TO_FORGET,
  nextScannerState,
  tokenPreview,
} from '../../../src/web/staff/scanner/scanner-state.ts';

const stateAfter = (...events: ScannerEvent[]): ScannerState =>
  events.reduce(nextScannerState, INITIAL_STATE);
const opened: ScannerEvent = { type: 'opened' };
const seen: ScannerEvent = { type: 'scanned', text: 'code' };
const missed: ScannerEvent = { type: 'scanned', text: null };

describe('a scan', () => {
  test('marks a code and goes on', () => {
    expect(stateAfter(opened, seen)).toMatchObject({ phase: 'scanning', detected: 'code' });
  });

  test('keeps the mark while the hand shakes, and drops it once the code has left', () => {
    const misses = Array.from({ length: MISSES_TO_FORGET }, () => missed);
    expect(stateAfter(opened, seen, ...misses.slice(1)).detected).toBe('code');
    expect(stateAfter(opened, seen, ...misses).detected).toBeNull();
    expect(stateAfter(opened, seen, ...misses.slice(1), seen, ...misses.slice(1)).detected).toBe('code');
  });

  test('forgets the code when a second one is as near, and says so until one is left', () => {
    const two: ScannerEvent = { type: 'scanned', text: null, several: true };
    expect(stateAfter(opened, seen, two)).toMatchObject({ detected: null, several: true });
    expect(stateAfter(opened, two, seen)).toMatchObject({ detected: 'code', several: false });
    const misses = Array.from({ length: MISSES_TO_FORGET }, () => missed);
    expect(stateAfter(opened, two, ...misses)).toMatchObject({ detected: null, several: false });
  });

  test('that finishes during a capture changes nothing', () => {
    expect(stateAfter(opened, { type: 'capture' }, seen).detected).toBeNull();
  });
});

describe('a capture', () => {
  test('that reads a code is done', () => {
    const state = stateAfter(opened, { type: 'capture' }, { type: 'captured', text: 'code' });
    expect(state).toMatchObject({ phase: 'done', detected: 'code' });
  });

  test('that fails shows the error; the next press hides it', () => {
    const failed = stateAfter(opened, { type: 'capture' }, { type: 'captured', text: null });
    expect(failed).toMatchObject({ phase: 'scanning', unreadable: true });
    expect(nextScannerState(failed, { type: 'errorShown' }).unreadable).toBe(false);
    expect(nextScannerState(failed, { type: 'capture' })).toMatchObject({
      phase: 'capturing',
      unreadable: false,
    });
  });

  test('of two codes reads neither', () => {
    const two: ScannerEvent = { type: 'captured', text: null, several: true };
    const state = stateAfter(opened, seen, { type: 'capture' }, two);
    expect(state).toMatchObject({ phase: 'scanning', detected: null, unreadable: true, several: true });
  });

  test('pressed before the camera has started runs once it has', () => {
    expect(stateAfter({ type: 'capture' })).toMatchObject({ phase: 'starting', pressed: true });
    expect(stateAfter({ type: 'capture' }, opened)).toMatchObject({ phase: 'capturing', pressed: false });
  });
});

test('after a denied camera, a retry works', () => {
  const denied: ScannerEvent = { type: 'denied', problem: 'busy' };
  expect(stateAfter(denied)).toMatchObject({ phase: 'denied', problem: 'busy' });
  expect(stateAfter(denied, { type: 'retry' }, opened)).toMatchObject({ phase: 'scanning', problem: null });
});

test('an interruption forgets what was seen, and ends nothing', () => {
  const interrupted: ScannerEvent = { type: 'interrupted' };
  expect(stateAfter(opened, seen, interrupted)).toMatchObject({ phase: 'scanning', detected: null });
  const capturing = stateAfter(opened, seen, { type: 'capture' }, interrupted);
  expect(capturing).toMatchObject({ phase: 'capturing', detected: null });
  const two: ScannerEvent = { type: 'scanned', text: null, several: true };
  expect(stateAfter(opened, two, interrupted).several).toBe(false);
});

test('the preview shows the first and last eight characters', () => {
  expect(tokenPreview('AZrC3k_Q9x-ABCDEFGHIJ0123456789abcdefghi')).toBe('AZrC3k_Q...bcdefghi');
  expect(tokenPreview('short-code')).toBe('short-code');
});
