import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BUILD_HEADER } from '../../../src/contract/site.ts';
import { watched } from '../../../src/web/api/build.ts';
import { tabStorage } from '../../../src/web/api/local-storage.ts';
import { site } from '../../../src/web/api/site.ts';
import { openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

const answerOf = (build: string) => Response.json({}, { headers: { [BUILD_HEADER]: build } });
/** The server's build in all further responses. */
const serve = (build: string, method = 'GET') => watched(method, Promise.resolve(answerOf(build)));

let reload: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  site.build = 'of this page';
  reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  stubStaffServer({ 'GET /api/customers': () => ({ members: [], next_cursor: null }) });
});
afterEach(async () => {
  // Back to the page's own build.
  await serve('of this page');
  site.build = '';
});

const open = async () => {
  const app = openStaffApp('/staff/account');
  await screen.findByRole('heading', { level: 1 });
  return app;
};
const line = () => screen.findByText('A new version is ready.');
const goToDashboard = () => fireEvent.click(screen.getByRole('link', { name: 'Bar' }));
const atDashboard = (app: Awaited<ReturnType<typeof open>>) => expect.poll(app.path).toBe('/staff/dashboard');

describe('when the server has a newer web app', () => {
  it('a page where something may have been typed does not reload by itself; a line offers to', async () => {
    await open();
    await serve('newer');
    await line();
    expect(reload).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('settings that staff changed are no new version', async () => {
    await open();
    await serve('of this page.7');
    await screen.findByText('The club’s settings have changed.');
    expect(screen.queryByText('A new version is ready.')).toBeNull();
  });

  it('opening the dashboard reloads, once', async () => {
    const app = await open();
    await serve('newer');
    goToDashboard();
    await expect.poll(() => reload).toHaveBeenCalledOnce();
    expect(tabStorage.read('reloaded-for-build')).toBe('newer');
    app.unmount();
    // The old page is back, from a cache for example.
    const again = await open();
    goToDashboard();
    await atDashboard(again);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('a reload waits for the answer to the button that was pressed', async () => {
    const app = await open();
    const answer = Promise.withResolvers<Response>();
    const writing = watched('POST', answer.promise);
    await serve('newer');
    await line();
    fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
    goToDashboard();
    await atDashboard(app);
    expect(reload).not.toHaveBeenCalled();
    answer.resolve(answerOf('newer'));
    await writing;
    expect(reload).toHaveBeenCalledOnce();
  });
});

it('the same web app, or one without a build name as in development, is never reloaded', async () => {
  const app = await open();
  await serve('of this page');
  site.build = '';
  await serve('newer');
  goToDashboard();
  await atDashboard(app);
  expect(screen.queryByText('A new version is ready.')).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});
