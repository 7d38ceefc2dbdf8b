import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { site } from '../../../src/web/api/site.ts';
import { renderFrame } from '../../../src/web/app/page-frames.tsx';
import { openApp, stubServer } from '../../support/web/member-app.tsx';

const html = renderFrame('/login', { site, user: null, own: null }) ?? '';

/** Tags, classes and texts, in order. */
const shapeOf = (element: Element | null): unknown =>
  element && [
    element.tagName,
    [...element.classList],
    ...[...element.childNodes]
      .map((child) => (child instanceof Element ? shapeOf(child) : (child.textContent ?? '').trim()))
      .filter((child) => child !== ''),
  ];

test('the placeholder of the sign-in form has the page’s heading, in the same place', async () => {
  stubServer({ 'GET /api/session': { user: null } });
  openApp('/login');
  await screen.findByRole('button', { name: 'Sign In' });
  const frame = new DOMParser().parseFromString(html, 'text/html');
  const page = document.querySelector('#main');
  const standsIn = frame.querySelector('main');
  expect(shapeOf(standsIn?.firstElementChild ?? null)).toEqual(shapeOf(page?.firstElementChild ?? null));
  for (const of of [
    (main: Element | null | undefined) => main,
    (main: Element | null | undefined) => main?.parentElement,
  ]) {
    expect([...(of(standsIn)?.classList ?? [])]).toEqual([...(of(page)?.classList ?? [])]);
  }
  // The frame shows the card, and nothing to type into or press before it works; the links below lead to pages of the
  // server.
  expect([...(standsIn?.querySelector('section')?.classList ?? [])]).toEqual([
    ...(page?.querySelector('section')?.classList ?? []),
  ]);
  expect(frame.querySelectorAll('button, input, [style]')).toHaveLength(0);
  expect([...frame.querySelectorAll('main a')].filter((link) => !link.closest('nav'))).toEqual([]);
  expect([...(frame.querySelector('aside')?.classList ?? [])]).toEqual([
    ...(document.querySelector('aside')?.classList ?? []),
  ]);
});
