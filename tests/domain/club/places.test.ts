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
  pourPlaceText,
  storedLocation,
  storedPlaceName,
  titleCaseLocation,
} from '../../../src/domain/club/places.ts';

const place = (id: string, name: string, retired = false): Place => ({ id, name, retired });

test('a new club pours at the bar, in the restaurant, at events and in the tasting room', () => {
  const stored = DEFAULT_PLACES.map((it) => [it.id, it.name, storedLocation(it), storedPlaceName(it)]);
  expect(stored).toEqual([
    ['bar', 'Bar', 'main_bar', null],
    ['restaurant', 'Restaurant', 'main_bar', null],
    ['event', 'Event', 'private_event', null],
    ['tasting_room', 'Tasting Room', 'tasting_room', null],
  ]);
});

describe('the location in the ledger, with the venue’s own name beside it', () => {
  test.each([
    ['restaurant', 'Salon', 'main_bar', 'Salon'],
    ['event', 'Upper Terrace', 'private_event', 'Upper Terrace'],
    ['tasting_room', 'Cellar', 'tasting_room', 'Cellar'],
    ['roof_garden', 'Roof Garden', 'main_bar', 'Roof Garden'],
    // The name that the location itself is shown by.
    ['bar', 'Main Bar', 'main_bar', null],
    ['event', 'Main Bar', 'private_event', 'Main Bar'],
  ])('%s, called %s: %s, %s', (id, name, location, place_name) => {
    expect(storedLocation({ id })).toBe(location);
    expect(storedPlaceName({ id, name })).toBe(place_name);
    expect(pourPlaceText({ location, place_name })).toBe(name);
  });

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
    ['Keep at least one place.', [place('bar', 'Bar', true)]],
    ['Keep at least one place.', []],
    ['Two places have the same name.', [place('bar', 'Bar'), place('bar_2', 'bar')]],
    [null, [place('bar', 'Bar'), place('bar_2', 'Bar', true)]],
    [
      'You can have at most 30 places, including retired ones.',
      Array.from({ length: 31 }, (_, n) => place(`bar_${n}`, `Bar ${n}`)),
    ],
    [null, DEFAULT_PLACES],
  ])('%s', (problem, places) => expect(placesProblem(places)).toBe(problem));
});

test('the audit shows which places are offered and which are retired', () => {
  expect(describePlaces([place('bar', 'Bar'), place('x', 'Roof', true), place('y', 'Cellar')])).toBe(
    'Bar, Cellar; retired: Roof',
  );
});
