import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { moveByRow } from '../../../src/web/ui/move-by-row.ts';

const NAMES = ['Bar', 'Restaurant', 'Event', 'Tasting Room'];

/** Four radios of 40 px, in so many columns. */
function renderGrid(columns: number) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const at = NAMES.indexOf(this.getAttribute('aria-label') ?? '');
    return new DOMRect(0, Math.floor(at / columns) * 40, 40, 40);
  });
  render(
    <fieldset onKeyDown={moveByRow}>
      {NAMES.map((name) => (
        <input key={name} type="radio" name="place" aria-label={name} />
      ))}
    </fieldset>,
  );
}
const focused = () => document.activeElement?.getAttribute('aria-label');
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

test('arrow up and down move by a row in two columns, and stay at its ends', async () => {
  renderGrid(2);
  await userEvent.click(radio('Restaurant'));
  await userEvent.keyboard('{ArrowDown}');
  expect([focused(), radio('Tasting Room').checked]).toEqual(['Tasting Room', true]);
  await userEvent.keyboard('{ArrowDown}');
  expect(focused()).toBe('Tasting Room');
  await userEvent.keyboard('{ArrowUp}');
  expect([focused(), radio('Restaurant').checked]).toEqual(['Restaurant', true]);
});

test.each([1, 4])('with %i columns the browser’s own way stays', async (columns) => {
  renderGrid(columns);
  await userEvent.click(radio('Bar'));
  await userEvent.keyboard('{ArrowDown}');
  expect(focused()).toBe('Restaurant');
});
