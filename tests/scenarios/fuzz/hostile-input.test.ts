import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { layOut, type Role } from '../../support/fuzz/siege.ts';
import { createTestApp } from '../../support/harness/app.ts';

/** More on demand: `npm run bench -- hostile-input` sends 20,000. */
const REQUESTS = 300;

/** Random, boundary, wrong-type, huge, unicode, SQL-like and prototype-polluting input on every operation. */
test.each<Role>(['visitor', 'member', 'staff'])(
  'whatever a %s sends: no 5xx, nothing of the server’s inside, and nothing of another member',
  async (role) => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const siege = await layOut(app);
    const before = await siege.victim();
    await fc.assert(
      fc.asyncProperty(siege.attacks, async (attack) => {
        expect(await siege.send(role, attack)).toBeNull();
      }),
      { numRuns: REQUESTS },
    );
    if (role !== 'staff') expect(await siege.victim()).toEqual(before);
    const answered = [...siege.statuses.keys()];
    expect(answered, 'some of it was let in').toContain(role === 'visitor' ? 401 : 200);
  },
  120_000,
);

test.each<Role>(['visitor', 'member'])(
  'a %s who knows every id gets nothing of another member, and changes nothing of theirs',
  async (role) => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const siege = await layOut(app);
    const before = await siege.victim();
    for (const request of siege.orderly) {
      expect(await siege.send(role, request), `${request.method} ${request.path}`).toBeNull();
    }
    expect(await siege.victim()).toEqual(before);
  },
  120_000,
);

test('the operations attacked are all that the document publishes', async () => {
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const { paths } = await app.visitor().must<{ paths: object }>('GET', '/api/openapi.json');
  const published = Object.values(paths).reduce((sum, it) => sum + Object.keys(it).length, 0);
  const { operations } = await layOut(app);
  expect(operations.filter((it) => !it.path.startsWith('/auth/')).length).toBe(published);
  expect(published).toBeGreaterThan(30);
});
