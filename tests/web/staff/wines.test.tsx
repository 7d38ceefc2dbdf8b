import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { USUAL_TASTE } from '../../../src/domain/wine/wine.ts';
import { bottleText, wineCharacter, wineOrigin } from '../../../src/web/format/wine-text.ts';
import { parseQueued } from '../../../src/web/staff/offline-queue/queued-pour.ts';
import { movedTo } from '../../../src/web/staff/wines/use-reorder.ts';
import { DRAWN, stubDrawing } from '../../support/web/drawing.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import { ada, adaAtBar, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';
import { idOf, wine } from '../../support/web/wines.ts';

const three = [wine(1, 'Barolo'), wine(2, 'Brut'), wine(3, 'Riesling', { state: 'gone', bottle: null })];

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('wines from a file', () => {
  const file = (rows: string[]) =>
    new File([['Name,Color,Sweetness,Body,Tannin,Acidity', ...rows].join('\n')], 'wines.csv', {
      type: 'text/csv',
    });
  const choose = async (rows: string[], answers: Record<string, Answer>) => {
    stubStaffServer({ 'GET /api/wines': () => three, ...answers });
    openStaffApp('/staff/wines');
    await userEvent.click(await screen.findByRole('button', { name: 'Import or Export' }));
    await userEvent.upload(await screen.findByLabelText('CSV file with wines'), file(rows));
  };

  test('are previewed with their errors, and each is added as a whole or listed with its reason', async () => {
    const added: unknown[] = [];
    await choose(['Gavi,white,1,2,1,4', 'Nothing,blue,1,2,1,4', 'Arneis,white,1,2,1,3'], {
      'POST /api/wines': ({ body }) => {
        const { name } = body as { name: string };
        if (name === 'Arneis') return refusal(409, 'TOO_MANY_WINES', 'The list is full.');
        added.push(body);
        return wine(8, name, { state: 'gone', bottle: null });
      },
    });
    expect(await screen.findByText('2 wines in wines.csv can be added, 1 row cannot.')).toBeTruthy();
    expect(screen.getByText(/Color must be one of/)).toBeTruthy();
    expect(added).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Add 2 Wines' }));
    expect(await screen.findByText('The list is full.')).toBeTruthy();
    expect(added).toEqual([
      expect.objectContaining({ name: 'Gavi', color: 'white', acidity: 4, glasses_per_bottle: 6 }),
    ]);
  });

  test('a file with other contents is refused', async () => {
    stubStaffServer({ 'GET /api/wines': () => three });
    openStaffApp('/staff/wines');
    await userEvent.click(await screen.findByRole('button', { name: 'Import or Export' }));
    const other = new File(['Email\nana@example.test'], 'members.csv');
    await userEvent.upload(await screen.findByLabelText('CSV file with wines'), other);
    expect(await screen.findByText(/The first row has no “Name”/)).toBeTruthy();
  });

  const saveList = async (wines: unknown[]) => {
    stubStaffServer({ 'GET /api/wines': () => wines });
    openStaffApp('/staff/wines');
    await userEvent.click(await screen.findByRole('button', { name: 'Import or Export' }));
    const saved = await screen.findByRole('button', { name: 'Download the List' });
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:wines');
    const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    await userEvent.click(saved);
    const [file] = made.mock.lastCall ?? [];
    return { names, text: await (file as Blob).text(), revoked };
  };

  test('the list is saved as a file, which stays readable after the click', async () => {
    const { names, text, revoked } = await saveList(three);
    expect(names).toEqual(['wines.csv']);
    expect(text).toMatch(/^\uFEFF?Name,.*\r\nBarolo,/);
    expect(revoked).not.toHaveBeenCalled();
  });

  test('a name that a spreadsheet would run is saved after an apostrophe', async () => {
    const { text } = await saveList([wine(1, '=1+1')]);
    expect(text).toContain("\r\n'=1+1,");
  });
});

describe('the list', () => {
  const open = async (answers: Record<string, Answer> = {}) => {
    const server = stubStaffServer({ 'GET /api/wines': () => three, ...answers });
    openStaffApp('/staff/wines');
    await screen.findByText('Barolo 2018');
    return server;
  };

  test('opening a bottle names the one before it, so that two taps open only one', async () => {
    const asked = vi.fn();
    await open({
      [`POST /api/wines/${idOf(1)}/bottles`]: ({ body }) => {
        asked(body);
        return wine(1, 'Barolo', {
          bottle: { id: idOf(9), opened_at: '2026-11-22T12:00:00.000Z', glasses: 6, left: 6 },
        });
      },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Next bottle of Barolo 2018' }));
    await screen.findByText(/^6 of 6 left/);
    expect(asked).toHaveBeenCalledWith({ instead_of: idOf(5) });
  });

  test('arrow keys move a wine, and the new order is saved', async () => {
    const asked = vi.fn();
    await open({
      'PUT /api/wines/order': ({ body }) => {
        asked(body);
        return [three[1], three[0], three[2]];
      },
    });
    screen.getByRole('button', { name: 'Move Barolo 2018' }).focus();
    await userEvent.keyboard('{ArrowUp}');
    expect(asked).not.toHaveBeenCalled();
    await userEvent.keyboard('{ArrowDown}');
    await waitFor(() => expect(asked).toHaveBeenCalledWith({ ids: [idOf(2), idOf(1)] }));
    await waitFor(() =>
      expect(
        screen
          .getAllByRole('button', { name: /^Move/ })
          .map((it) => it.ariaLabel ?? it.getAttribute('aria-label')),
      ).toEqual(['Move Brut 2018', 'Move Barolo 2018']),
    );
  });

  test('the form starts with the saved values, reads the cost as money, and sends the whole wine', async () => {
    const asked = vi.fn();
    await open({
      [`PUT /api/wines/${idOf(1)}`]: ({ body }) => {
        asked(body);
        return wine(1, 'Barolo', { cost_cents: 2600 });
      },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Red Barolo 2018' }));
    const dialog = within(await screen.findByRole('dialog'));
    const cost = dialog.getByLabelText(/Cost per bottle/);
    expect((cost as HTMLInputElement).value).toBe('24.5');
    await userEvent.clear(cost);
    await userEvent.type(cost, '26');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(asked).toHaveBeenCalled());
    expect(asked.mock.calls[0]?.[0]).toMatchObject({
      name: 'Barolo',
      vintage: 2018,
      body: 5,
      cost_cents: 2600,
    });
  });
});

describe('a new wine', () => {
  const add = async (answers: Record<string, Answer>) => {
    const server = stubStaffServer({ 'GET /api/wines': () => three, ...answers });
    openStaffApp('/staff/wines');
    await userEvent.click(await screen.findByRole('button', { name: 'Add Wine' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByLabelText('Name'), 'Gamay');
    await userEvent.selectOptions(dialog.getByLabelText('Color'), 'Red');
    return { server, dialog, save: () => userEvent.click(dialog.getByRole('button', { name: 'Add Wine' })) };
  };
  const create = 'POST /api/wines';
  const gamay = wine(7, 'Gamay', { state: 'coming', bottle: null });

  test('needs a name and a color, tastes as usual for its color, and says that it is on the list', async () => {
    const { server, dialog, save } = await add({ [create]: () => gamay });
    await userEvent.selectOptions(dialog.getByLabelText('Tannin'), 'Soft');
    await userEvent.selectOptions(dialog.getByLabelText('Color'), 'White');
    await save();
    await screen.findByText('Gamay 2018 is on the list');
    expect(server.made(create)[0]?.body).toEqual({
      ...{ name: 'Gamay', color: 'white', glasses_per_bottle: 6 },
      ...{ ...USUAL_TASTE.white, tannin: 2 },
    });
  });

  test('is opened at once if wanted', async () => {
    const { server, dialog, save } = await add({
      [create]: () => gamay,
      [`POST /api/wines/${idOf(7)}/bottles`]: () => wine(7, 'Gamay'),
    });
    await userEvent.click(dialog.getByLabelText('Open a bottle now'));
    await save();
    await screen.findByText('Gamay 2018 is open');
    expect(server.made(`POST /api/wines/${idOf(7)}/bottles`)[0]?.body).toEqual({ instead_of: null });
  });

  test('whose bottle cannot be opened is on the list all the same', async () => {
    const { dialog, save } = await add({
      [create]: () => gamay,
      [`POST /api/wines/${idOf(7)}/bottles`]: () => Response.json({}, { status: 500 }),
    });
    await userEvent.click(dialog.getByLabelText('Open a bottle now'));
    await save();
    await screen.findByText('We couldn’t open the bottle');
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByText('Gamay 2018');
  });
});

describe('the wine of a pour', () => {
  const offered = [
    wine(1, 'Barolo'),
    wine(2, 'Brut'),
    wine(3, 'Riesling'),
    wine(4, 'Rioja'),
    wine(5, 'Fino'),
  ];
  const open = async (wines: unknown) => {
    const asked = vi.fn();
    stubStaffServer({
      'GET /api/wines/open': () => wines,
      [`GET /api/customers/${ada.id}/bar`]: () => adaAtBar,
      'POST /api/pours': ({ body }) => {
        asked(body);
        return Response.json({ code: 'CUSTOMER_NOT_ACTIVE', message: 'No.' }, { status: 409 });
      },
    });
    openStaffApp(`/staff/customers/${ada.id}/add-pour`, { customer: ada });
    await screen.findByText('Active');
    await userEvent.click(screen.getByRole('radio', { name: 'Bar' }));
    return asked;
  };
  const pour = () => userEvent.click(screen.getByRole('button', { name: /^Pour/ }));
  const sent = async (asked: ReturnType<typeof vi.fn>) => {
    await waitFor(() => expect(asked).toHaveBeenCalled());
    return asked.mock.calls[0]?.[0];
  };

  test('takes one tap, and a second tap clears it', async () => {
    const asked = await open(offered);
    const tile = await screen.findByRole('button', { name: 'Red Brut 2018' });
    await userEvent.click(tile);
    expect(tile.getAttribute('aria-pressed')).toBe('true');
    await pour();
    expect(await sent(asked)).toMatchObject({ wine_id: idOf(2) });
    cleanup();
    const again = await open(offered);
    const other = await screen.findByRole('button', { name: 'Red Barolo 2018' });
    await userEvent.click(other);
    await userEvent.click(other);
    await pour();
    expect(await sent(again)).not.toHaveProperty('wine_id');
  });

  test('the four most poured are shown, the others are a tap away', async () => {
    await open(offered);
    await screen.findByRole('button', { name: 'Red Rioja 2018' });
    expect(screen.queryByRole('button', { name: 'Red Fino 2018' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: '1 more open' }));
    await screen.findByRole('button', { name: 'Red Fino 2018' });
  });

  test.each([
    ['nothing is open', []],
    ['the list cannot be read', Response.json({}, { status: 503 })],
  ])('is not asked for when %s, and the pour can be recorded', async (_, wines) => {
    const asked = await open(wines);
    expect(screen.queryByText('Wine')).toBeNull();
    await pour();
    expect(await sent(asked)).toMatchObject({ quantity: 1, location: 'bar' });
  });
});

test('a queued pour keeps its wine; an invalid wine id is dropped, the pour is not', () => {
  const queued = {
    request_id: 'r',
    customer_id: 'c',
    member: 'Ada',
    staff_id: 's',
    staff: 'Bo',
    quantity: 1,
  };
  const stored = { ...queued, location: 'bar', queued_at: 1, attempted: false };
  expect(parseQueued({ ...stored, wine_id: idOf(1) })).toEqual({ ...stored, wine_id: idOf(1) });
  for (const wine_id of ['Barolo', 7, null]) expect(parseQueued({ ...stored, wine_id })).toEqual(stored);
  expect(parseQueued(stored)).toEqual(stored);
});

test('a picture of a wine is saved as soon as it is chosen, and can be removed', async () => {
  stubDrawing();
  const save = `PUT /api/wines/${idOf(1)}/picture`;
  const server = stubStaffServer({
    'GET /api/wines': () => three,
    [save]: () => wine(1, 'Barolo', { picture: 'v1' }),
    [`DELETE /api/wines/${idOf(1)}/picture`]: () => wine(1, 'Barolo'),
  });
  openStaffApp('/staff/wines');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Red Barolo 2018' }));
  screen.getByText('No picture');
  const file = new File(['x'], 'label.jpg', { type: 'image/jpeg' });
  fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file] } });
  await user.click(await screen.findByRole('button', { name: 'Remove Picture' }));
  expect(server.made(save)[0]?.body).toEqual({ content: DRAWN });
  await screen.findByText('No picture');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('moving stays within the list', () => {
  expect(movedTo(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(movedTo(['a', 'b', 'c'], 'a', 9)).toEqual(['b', 'c', 'a']);
  expect(movedTo(['a', 'b', 'c'], 'c', -1)).toEqual(['c', 'a', 'b']);
});

test('a bottle says what is left and since when, and warns of waste', () => {
  const at = (hours: number, left: number) =>
    bottleText(
      { id: idOf(1), glasses: 6, left, opened_at: new Date(0).toISOString() },
      new Date(hours * 3_600_000),
    );
  expect(at(2, 4)).toEqual({ text: '4 of 6 left, open for 2 hours', warns: false });
  expect(at(73, 4)).toEqual({ text: '4 of 6 left, open for 3 days', warns: true });
  expect(at(1, 0)).toEqual({ text: 'Should be empty, open for 1 hour', warns: true });
  expect(at(1, -2)).toEqual({ text: '2 more poured than it holds, open for 1 hour', warns: true });
});

test('a wine in one line: where it is from, and what it is like', () => {
  const barolo = wine(1, 'Barolo');
  expect(wineOrigin(barolo)).toBe('Cascina Prova, Langhe, Italy, Nebbiolo');
  expect(wineOrigin({ producer: '', region: '', country: 'Italy', grape: '' })).toBe('Italy');
  expect(wineCharacter(barolo)).toBe('Dry, full body, grippy tannin, crisp acidity');
  expect(wineCharacter({ ...barolo, tannin: 1 })).toBe('Dry, full body, crisp acidity');
  expect(wineCharacter({ ...barolo, sweetness: 3, tannin: 1 })).toBe(
    'Medium sweet, full body, crisp acidity',
  );
});
