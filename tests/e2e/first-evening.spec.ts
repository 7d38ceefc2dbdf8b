import type { Browser, Locator, Page } from '@playwright/test';
import { newPage, setupLink, test } from '../support/fixtures/empty-venue.ts';
import { expect, register } from '../support/harness/product.ts';

const PASSWORD = 'correct horse battery';
/** The most Tabs between two controls: nobody would press more. */
const MOST_TABS = 40;

/** A person at a keyboard. Every control that is used has the focus first, and it is seen. */
class Keyboard {
  pressed = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.pressed += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.pressed += text.length;
    await this.#page.keyboard.type(text);
  }

  /** Tabs to a control. `back`: the other way round. */
  async reach(control: Locator, { back = false } = {}): Promise<void> {
    await expect(control).toBeVisible();
    for (let tabs = 0; !(await isFocused(control)); tabs++) {
      if (tabs === MOST_TABS) throw new Error(`${control} is not within ${MOST_TABS} Tabs`);
      await this.press(back ? 'Shift+Tab' : 'Tab');
    }
    expect(await showsFocus(control), `the focus on ${control}`).toBe(true);
  }

  async use(control: Locator, way?: { back?: boolean }): Promise<void> {
    await this.reach(control, way);
    await this.press('Enter');
  }

  async fill(control: Locator, text: string): Promise<void> {
    await this.reach(control);
    await this.press('Control+a');
    await this.type(text);
  }

  /** Types into Find, and opens the first page or member found. */
  async find(text: string, shown: Locator): Promise<void> {
    await this.press('Control+k');
    await expect(this.#page.getByPlaceholder('Find a member or a page')).toBeFocused();
    await this.type(text);
    await expect(this.#page.locator('[data-highlighted]')).toContainText(text);
    await this.press('Enter');
    await expect(shown).toBeVisible();
  }
}

const isFocused = (control: Locator) => control.evaluate((it) => it === document.activeElement);

/** An outline or a ring on the control, or on the box that stands for it. */
const showsFocus = (control: Locator) =>
  control.evaluate((it) => {
    const shows = (element: Element | null) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    };
    return it.matches(':focus-visible') && (shows(it) || shows(it.closest('label')));
  });

/** Applies on a phone, up to the payment page. */
async function applyFromPhone(browser: Browser, url: string): Promise<void> {
  const phone = await newPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await register(phone, url, { first: 'Theo', last: 'Vance' });
  await phone.getByRole('link', { name: 'Get Started' }).click();
  await phone.getByRole('button', { name: 'Continue to Membership Selection' }).click();
  await phone.getByRole('button', { name: 'Continue to Payment' }).first().click();
  await expect(phone).toHaveURL(/\/c\/pay\//);
  await phone.context().close();
}

test('an owner’s first evening takes no mouse: from the link of the set-up to a report', async ({
  browser,
  venue,
  watchErrors,
}) => {
  test.setTimeout(240_000);
  const page = await newPage(browser, { viewport: { width: 1280, height: 768 } });
  watchErrors(page.context());
  await page.addInitScript(() => {
    for (const type of ['mousedown', 'pointerdown', 'touchstart']) {
      addEventListener(type, () => Object.assign(globalThis, { usedPointer: true }), true);
    }
  });
  const keys = new Keyboard(page);
  const field = (name: string | RegExp) => page.getByLabel(name, { exact: name === 'Password' });
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const heading = (name: string | RegExp) =>
    page.getByRole('heading', { name, exact: typeof name === 'string' }).first();
  const dialog = page.getByRole('dialog');

  await page.goto(setupLink(venue).href);
  await keys.fill(field('Name of the Club'), 'The Copper Vine');
  await keys.fill(field('First Name'), 'Olive');
  await keys.fill(field('Last Name'), 'Owner');
  await keys.fill(field('Email'), 'owner@venue.test');
  await keys.fill(field('Password'), PASSWORD);
  await keys.fill(field('Confirm password'), PASSWORD);
  await keys.press('Enter');

  await keys.use(page.getByRole('link', { name: 'Change Tiers' }));
  await keys.use(button('Edit Select'));
  await keys.fill(dialog.getByLabel(/^Price per Month/), '42');
  await keys.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('$42').first()).toBeVisible();

  await keys.find('Places', heading('Places'));
  await keys.use(button('Add Place'));
  await keys.fill(field('Place 5'), 'Garden');
  await keys.press('Enter');
  await expect(page.getByText('The places were saved')).toBeVisible();

  await keys.find('Wines', heading('Wines'));
  await keys.use(button('Add Wine').first());
  await keys.fill(dialog.getByLabel('Name', { exact: true }), 'Gamay of the House');
  await keys.reach(dialog.getByLabel('Color', { exact: true }));
  await keys.press('ArrowDown');
  await keys.use(dialog.getByRole('button', { name: 'Add Wine', exact: true }));
  await expect(dialog).toBeHidden();
  await keys.use(button(/^Open a bottle of Gamay/));

  await keys.find('Team', heading('Team'));
  await keys.use(button('Invite'));
  await keys.fill(field('Their Email'), 'bea@venue.test');
  await keys.press('Enter');
  await expect(page.getByText('We emailed bea@venue.test.')).toBeVisible();

  await keys.find('Add Member', heading('Add Member'));
  await keys.fill(field('Email'), 'mira@venue.test');
  await keys.fill(field('First Name'), 'Mira');
  await keys.fill(field('Last Name'), 'Sol');
  await keys.press('Enter');
  await keys.reach(page.getByRole('radio', { name: /Pay on their phone/ }));
  await keys.press('ArrowDown');
  await keys.fill(field(/^Toast Reference Number/), 'T-1');
  await keys.press('Enter');
  await expect(heading('Mira is a member')).toBeVisible();

  await keys.find('Mira', heading('Mira Sol'));
  await keys.use(page.getByRole('link', { name: /pour/i }).first());
  await keys.reach(button(/^Red Gamay|^Gamay|Gamay of the House/));
  await keys.press('Space');
  await keys.reach(page.getByRole('radio', { name: 'Bar' }));
  await keys.press('Space');
  await keys.use(button('Pour 1'));
  await expect(page.getByText('1 pour recorded')).toBeVisible();
  await keys.use(button('Undo'), { back: true });
  await expect(page.getByText('1 pour undone')).toBeVisible();

  await applyFromPhone(browser, venue.url);
  await keys.find('Applications', heading('Membership Applications'));
  await keys.use(page.getByRole('link', { name: /Theo Vance/ }));
  await keys.use(button('Approve Application'));
  await keys.fill(dialog.getByLabel(/^Toast Reference Number/), 'T-2');
  await keys.press('Enter');
  await expect(page.getByText('Application approved and membership created')).toBeVisible();

  await keys.find('Reports', heading('Reports'));
  await keys.use(
    page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Pours', exact: true }),
  );
  await expect(page.getByText('No pours on these days.')).toBeVisible();
  await keys.use(button('Sign Out'), { back: true });
  await expect(page).toHaveURL(/\/login/);

  expect(await page.evaluate(() => 'usedPointer' in globalThis)).toBe(false);
  expect(keys.pressed).toBeLessThan(400);
});
