import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('a password asked for once more may be wrong ten times in a quarter of an hour, and right as often as one works', async () => {
  const staff = await app.staff();
  const setPin = async (password: string) => {
    app.clock.advance({ seconds: 20 });
    return (await staff.call('PUT', '/api/staff-pin', { pin: '8042', password })).status;
  };
  const times = async (count: number, password: string) => {
    const statuses: number[] = [];
    for (let done = 0; done < count; done += 1) statuses.push(await setPin(password));
    return statuses;
  };
  expect(await times(12, PASSWORD)).toEqual(Array(12).fill(200));
  expect(await times(10, 'not the password')).toEqual(Array(10).fill(403));
  expect(await times(1, PASSWORD)).toEqual([429]);
});
