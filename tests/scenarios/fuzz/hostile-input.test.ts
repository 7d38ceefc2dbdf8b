import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { prepareFuzzRun, type Role } from '../../support/fuzz/fuzz-run.ts';
import { createTestApp } from '../../support/harness/app.ts';

const REQUESTS = 200;

/** The published document judges every answer here: its status, content type and schema. */
test('staff who send every documented request get no answer that the published document does not name', async () => {
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const run = await prepareFuzzRun(app);
  const undocumented: string[] = [];
  for (const request of run.valid) {
    const wrong = await run.send('staff', request);
    if (wrong) undocumented.push(`${request.method} ${request.path}: ${wrong}`);
  }
  expect(undocumented).toEqual([]);
  const judged = new Set([...run.judged.keys()].map((key) => key.split(' ')[0]));
  expect(judged.size, 'operations').toBe(run.operations.length);
}, 120_000);

/** Random, boundary, wrong-type, huge, unicode, SQL-like and prototype-polluting input on every operation. */
test.each<Role>(['visitor', 'member', 'staff'])(
  'whatever a %s sends, no response is a 5xx or shows details of the server or of another member',
  async (role) => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const run = await prepareFuzzRun(app);
    const before = await run.targetRows();
    await fc.assert(
      fc.asyncProperty(run.hostile, async (request) => {
        expect(await run.send(role, request)).toBeNull();
      }),
      { numRuns: REQUESTS },
    );
    if (role !== 'staff') expect(await run.targetRows()).toEqual(before);
    const answered = [...run.statuses.keys()];
    expect(answered, 'some requests were accepted').toContain(role === 'visitor' ? 401 : 200);
  },
  120_000,
);

test.each<Role>(['visitor', 'member'])(
  "a %s who knows every id can neither read nor change another member's data",
  async (role) => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const run = await prepareFuzzRun(app);
    const before = await run.targetRows();
    for (const request of run.valid) {
      expect(await run.send(role, request), `${request.method} ${request.path}`).toBeNull();
    }
    expect(await run.targetRows()).toEqual(before);
  },
  120_000,
);

test.each<Role>(['visitor', 'member', 'staff'])(
  'half an emoji, or a NUL, in any text that a %s sends is no failure of the server',
  async (role) => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const run = await prepareFuzzRun(app);
    const failed: string[] = [];
    for (const request of run.spoiled(role)) {
      const wrong = await run.send(role, request);
      if (wrong) failed.push(`${request.method} ${request.path} ${request.body}: ${wrong}`);
    }
    expect(failed).toEqual([]);
  },
  120_000,
);

test('the fuzz run covers every operation of the OpenAPI document', async () => {
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const { paths } = await app.visitor().must<{ paths: object }>('GET', '/api/openapi.json');
  const published = Object.values(paths).reduce((sum, it) => sum + Object.keys(it).length, 0);
  const { operations } = await prepareFuzzRun(app);
  expect(operations.length).toBe(published);
  expect(published).toBeGreaterThan(30);
});
