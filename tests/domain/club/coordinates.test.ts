import { expect, it } from 'vitest';
import { readCoordinates } from '../../../src/domain/club/coordinates.ts';

it.each([
  ['48.2082, 16.3738', 48.2082, 16.3738],
  ['48.208176,16.373819', 48.208176, 16.373819],
  ['48.2082 16.3738', 48.2082, 16.3738],
  ['48,2082; 16,3738', 48.2082, 16.3738],
  ['(-33.9249, 18.4241)', -33.9249, 18.4241],
  ['\u221233.9249, 18.4241', -33.9249, 18.4241],
  ['38.2975°, -122.2869°', 38.2975, -122.2869],
  ['48, 16', 48, 16],
  ['90, -180', 90, -180],
])('%s is read', (text, latitude, longitude) => {
  expect(readCoordinates(text)).toEqual({ latitude, longitude });
});

it.each([
  '',
  '48.2082',
  '91, 16',
  '48, 181',
  '48.2.1, 16',
  'Vienna',
  '48.2082, 16.3738, 12',
  '48°12′N 16°22′E',
])('no place is read from "%s"', (text) => {
  expect(readCoordinates(text)).toBeNull();
});
