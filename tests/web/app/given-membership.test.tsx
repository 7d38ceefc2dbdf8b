import { cleanup, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ada, customer, me } from '../../support/web/member-app.tsx';

const OWN = 'GET /api/customers/own';
const membership = { ...me, customer };
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  for (const id of ['session', 'own-membership']) document.getElementById(id)?.remove();
});

/** Writes values into the document like the server, before the app is loaded again. */
function documentWith(values: Record<string, unknown>) {
  for (const [id, value] of Object.entries(values)) {
    const element = document.createElement('script');
    element.id = id;
    element.type = 'application/json';
    element.textContent = typeof value === 'string' ? value : JSON.stringify(value);
    document.head.append(element);
  }
  vi.resetModules();
}

async function given(value: unknown) {
  documentWith({ session: { user: ada }, 'own-membership': value });
  const session = await import('../../../src/web/api/session.ts');
  const { givenMembership } = await import('../../../src/web/api/document/given-membership.ts');
  return { session, givenMembership };
}

test('the page shows the membership in its document before any call is answered', async () => {
  documentWith({ session: { user: ada }, 'own-membership': membership });
  const { openApp, stubServer } = await import('../../support/web/member-app.tsx');
  stubServer({ [OWN]: never });
  openApp('/dashboard', { embedded: true });
  await screen.findByText('Resets on your monthly billing date');
  expect(document.getElementById('own-membership')).toBeNull();
});

test('the membership in the document is used once: later pages request it', async () => {
  documentWith({ session: { user: ada }, 'own-membership': membership });
  const { openApp, stubServer } = await import('../../support/web/member-app.tsx');
  stubServer({ [OWN]: membership });
  openApp('/dashboard', { embedded: true });
  await screen.findByText('Resets on your monthly billing date');
  cleanup();
  stubServer({ [OWN]: never });
  openApp('/dashboard', { embedded: true });
  await screen.findByText('Loading');
});

test('the membership in the document is not given to another user', async () => {
  const { givenMembership } = await given(membership);
  expect(givenMembership(ada.id)?.membership).toEqual(membership);
  expect(givenMembership('0197b1f0-0000-7000-8000-000000000002')).toBeNull();
});

test.each(['startSession', 'forgetSignedIn', 'endSession', 'forgetSession'] as const)(
  'the membership in the document no longer counts after %s',
  async (act) => {
    const { session, givenMembership } = await given(membership);
    session[act]();
    expect(givenMembership(ada.id)).toBeNull();
  },
);

test.each(['', 'null', '{'])('a document of %j gives no membership', async (text) => {
  expect((await given(text)).givenMembership(ada.id)).toBeNull();
});
