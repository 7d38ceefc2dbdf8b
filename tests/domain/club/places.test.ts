import { describe, expect, it, test } from 'vitest';
import {
  DEFAULT_PLACES,
  describePlaces,
  mergePlaces,
  newPlaceId,
  PLACE_ID,
  PLACE_NAME,
  type Place,
  placesProblem,
  storedLocation,
  titleCaseLocation,
} from '../../../src/domain/club/places.ts';

const place = (id: string, name: string, retired = false): Place => ({ id, name, retired });

test('a new club pours at the bar, in the restaurant, at events and in the tasting room', () => {
  expect(DEFAULT_PLACES.map(({ id, name }) => [id, name, storedLocation({ name })])).toEqual([
    ['bar', 'Bar', 'main_bar'],
    ['restaurant', 'Restaurant', 'main_bar'],
    ['event', 'Event', 'private_event'],
    ['tasting_room', 'Tasting Room', 'tasting_room'],
  ]);
});

describe('the location in the ledger', () => {
  test.each([
    ['Terrace', 'Terrace'],
    ['Upper Terrace', 'Upper_Terrace'],
    ['VIP lounge', 'VIP_lounge'],
    // Read as the words of another, so the same as that one in every report.
    ['Main Bar', 'main_bar'],
    ['private event', 'private_event'],
  ])('at %s: %s', (name, stored) => expect(storedLocation({ name })).toBe(stored));

  test.each([
    ['main_bar', 'Main Bar'],
    ['private_event', 'Private Event'],
    ['tasting_room', 'Tasting Room'],
    ['VIP_lounge', 'VIP Lounge'],
  ])('%s is shown as %s', (stored, shown) => expect(titleCaseLocation(stored)).toBe(shown));
});

test.each([
  ['Terrace', [], 'terrace'],
  ['Café «Süd» 2', [], 'cafe_sud_2'],
  ['Terrace', ['terrace', 'terrace_2'], 'terrace_3'],
  ['酒窖', [], 'place'],
])('the id of %s, beside %j, is %s', (name, taken, id) => {
  expect(newPlaceId(name, taken)).toBe(id);
  expect(id).toMatch(PLACE_ID);
});

test.each([
  ['Bar', true],
  ["Gino's Bar & Grill", true],
  ['Bar 2', true],
  ['', false],
  [' Bar', false],
  ['Bar  2', false],
  ['Main_Bar', false],
  ['Bar\n2', false],
  ['<b>', false],
])('%j can be a name: %s', (name, can) => expect(PLACE_NAME.test(name)).toBe(can));

describe('a list that is saved', () => {
  it('keeps the id of a renamed or moved place, and gives new places an id', () => {
    const known = [place('bar', 'Bar'), place('event', 'Event')];
    const sent = [{ name: 'Terrace', retired: false }, place('event', 'Festival'), place('bar', 'Bar')];
    expect(mergePlaces(known, sent)).toEqual([
      place('terrace', 'Terrace'),
      place('event', 'Festival'),
      place('bar', 'Bar'),
    ]);
  });

  it('never loses a place: a missing one is retired', () => {
    expect(mergePlaces([place('bar', 'Bar'), place('roof', 'Roof')], [place('bar', 'Bar')])).toEqual([
      place('bar', 'Bar'),
      place('roof', 'Roof', true),
    ]);
  });

  it('ignores an unknown id', () => {
    expect(mergePlaces([place('bar', 'Bar')], [place('bar', 'Bar'), place('x', 'Bar Two')])).toEqual([
      place('bar', 'Bar'),
      place('bar_two', 'Bar Two'),
    ]);
  });

  test.each([
    ['none offered', [place('bar', 'Bar', true)]],
    ['none offered', []],
    ['same name', [place('bar', 'Bar'), place('bar_2', 'bar')]],
    [null, [place('bar', 'Bar'), place('bar_2', 'Bar', true)]],
    ['too many', Array.from({ length: 31 }, (_, n) => place(`bar_${n}`, `Bar ${n}`))],
    [null, DEFAULT_PLACES],
  ])('%s', (problem, places) => expect(placesProblem(places)).toBe(problem));
});

test('the audit shows which are offered, and which no longer are', () => {
  expect(describePlaces([place('bar', 'Bar'), place('x', 'Roof', true), place('y', 'Cellar')])).toBe(
    'Bar, Cellar; retired: Roof',
  );
});
