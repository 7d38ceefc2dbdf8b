import type { KeyboardEvent } from 'react';

/**
 * For the element around a grid of radios: arrow up and down move by a row, where browsers move to the neighbor. In a single
 * row or column the browser's own way stays.
 */
export function moveByRow(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  const radios = [...currentTarget.querySelectorAll<HTMLInputElement>('input[type=radio]:not(:disabled)')];
  const at = radios.indexOf(target as HTMLInputElement);
  const topOf = (radio: HTMLInputElement) => radio.getBoundingClientRect().top;
  const columns = radios.filter((radio) => topOf(radio) === topOf(radios[0] ?? radio)).length;
  if (at < 0 || columns < 2 || columns === radios.length) return;
  event.preventDefault();
  const next = radios[at + (key === 'ArrowDown' ? columns : -columns)];
  next?.focus();
  next?.click();
}
