import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from './engine.ts';

const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/** Finds an element like a person would: by the text on it or beside it. */
const LOOK = `async (what, name, value) => {
  const shown = (it) => it.getClientRects().length > 0;
  const fits = (text) => {
    const plain = (text ?? '').replace(/\\s+/g, ' ').trim().toLowerCase();
    const wanted = name.toLowerCase();
    return wanted.startsWith('^') ? plain.startsWith(wanted.slice(1)) : plain === wanted;
  };
  const named = (it) => fits(it.getAttribute('aria-label')) || fits(it.textContent) || fits(it.value);
  // Behind an open dialog nothing can be pressed.
  const within = document.querySelector('dialog[open]') ?? document;
  const first = (selector) => [...within.querySelectorAll(selector)].find((it) => shown(it) && named(it));
  const field = () => {
    const label = [...document.querySelectorAll('label')].find((it) => fits(it.firstChild?.textContent) || fits(it.textContent));
    return label?.control ?? [...document.querySelectorAll('input, textarea, select')].find((it) => fits(it.placeholder) || fits(it.getAttribute('aria-label')));
  };
  if (what === 'see') return document.body.innerText.replace(/\\s+/g, ' ').includes(name);
  if (what === 'be at') return new RegExp(name).test(location.pathname + location.search);
  if (what === 'press') {
    const target = first('button, a, [role=button], input[type=submit]');
    if (!target || target.disabled || target.ariaDisabled === 'true') return false;
    target.click();
    return true;
  }
  const target = field();
  if (!target) return false;
  if (target.type === 'radio') {
    target.click();
    return target.checked;
  }
  const type = Object.getPrototypeOf(target);
  Object.getOwnPropertyDescriptor(type, 'value').set.call(target, value);
  target.dispatchEvent(new Event('input', { bubbles: true }));
  target.dispatchEvent(new Event('change', { bubbles: true }));
  return target.value === value;
}`;

/**
 * A person's actions in a browser. Names match in any case; a name that begins with ^ matches the start. Each action waits
 * up to half a minute.
 */
export function person(engine: Engine) {
  const until = async (what: string, name: string, value?: string) => {
    const end = performance.now() + PATIENCE_MS;
    let reason = '';
    while (performance.now() < end) {
      try {
        if (await engine.run<boolean>(LOOK, what, name, value ?? null)) return;
        reason = '';
      } catch (error) {
        // The page has just navigated away.
        reason = `: ${error}`;
      }
      await wait(LOOK_AGAIN_MS);
    }
    const page = await engine.run<string>('async () => location.href + " " + document.body.innerText');
    throw new Error(`Could not ${what} '${name}'${reason}. The page: ${page.slice(0, 2_000)}`);
  };
  return {
    open: engine.open,
    see: (text: string) => until('see', text),
    beAt: (pattern: string) => until('be at', pattern),
    press: (name: string) => until('press', name),
    choose: (label: string) => until('choose', label),
    fill: (label: string, value: string) => until('fill', label, value),
  };
}
