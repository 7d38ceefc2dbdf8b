import { beforeEach, expect, test, vi } from 'vitest';
import { writeLocal } from '../../../src/web/api/local-storage.ts';

const ada = { id: 'a1', email: 'ada@demo.test', first_name: 'Ada', last_name: 'Vine', role: 'customer' };

const asked = vi.fn(async () => Response.json({ user: null }));
beforeEach(() => {
  document.getElementById('session')?.remove();
  vi.stubGlobal('fetch', asked);
  asked.mockClear();
});

/** Loads the session module in a page whose document contains this text. */
async function pageThatSays(text: string) {
  const element = document.createElement('script');
  element.id = 'session';
  element.type = 'application/json';
  element.textContent = text;
  document.head.append(element);
  vi.resetModules();
  return import('../../../src/web/api/session.ts');
}

test('the signed-in user is read from the document, without a call, and removed from it', async () => {
  const { currentUser } = await pageThatSays(JSON.stringify({ user: ada }));
  expect(document.getElementById('session')).toBeNull();
  expect(await currentUser()).toEqual(ada);
  expect(asked).not.toHaveBeenCalled();
});

test('a document that says nobody is signed in needs no call either', async () => {
  const { currentUser } = await pageThatSays('{"user":null}');
  expect(await currentUser()).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

test('the document is used once; the next read calls the server', async () => {
  const { currentUser, forgetSession } = await pageThatSays(JSON.stringify({ user: ada }));
  await currentUser();
  forgetSession();
  expect(await currentUser()).toBeNull();
  expect(asked).toHaveBeenCalledOnce();
});

test.each([
  ['someone signs in', 'startSession'],
  ['the user signs out', 'forgetSignedIn'],
  ['another tab signs out', 'endSession'],
] as const)('the document no longer counts once %s, even if it was not read yet', async (_, act) => {
  const page = await pageThatSays(JSON.stringify({ user: ada }));
  page[act]();
  expect(await page.currentUser()).toBeNull();
  expect(asked).toHaveBeenCalledOnce();
});

test('a device that signed out while offline ignores the document', async () => {
  writeLocal('cellar-door:signed-out', true);
  const { currentUser } = await pageThatSays(JSON.stringify({ user: ada }));
  expect(await currentUser()).toBeNull();
});

test.each(['', 'null', '{', '__SESSION__'])('a document of %j needs a call', async (text) => {
  const { currentUser } = await pageThatSays(text);
  expect(await currentUser()).toBeNull();
  expect(asked).toHaveBeenCalledOnce();
});

test('another member’s saved card is removed when the document names the user', async () => {
  writeLocal('cellar-door:card', { user_id: 'someone else' });
  const { currentUser } = await pageThatSays(JSON.stringify({ user: ada }));
  await currentUser();
  expect(localStorage.getItem('cellar-door:card')).toBeNull();
});
