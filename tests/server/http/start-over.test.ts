import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { START_OVER_PATH } from '../../../src/contract/site.ts';
import { mountStartOver } from '../../../src/server/http/start-over.ts';
import { createTestApp } from '../../support/harness/app.ts';

it('only a demo can start over: elsewhere the calls do not exist', async () => {
  const { visitor } = await createTestApp();
  for (const method of ['GET', 'POST'] as const) {
    expect((await visitor().raw(method, START_OVER_PATH)).status).toBe(404);
  }
});

it('a page learns from the run that the demo has started over', async () => {
  const ask = vi.fn();
  const app = new Hono();
  mountStartOver(app, { run: 3, ask });
  expect(await (await app.request(START_OVER_PATH)).json()).toEqual({ run: 3 });
  expect(ask).not.toHaveBeenCalled();
  const answer = await app.request(START_OVER_PATH, { method: 'POST' });
  expect(answer.status).toBe(202);
  expect(await answer.json()).toEqual({ run: 3 });
  expect(ask).toHaveBeenCalledOnce();
});
