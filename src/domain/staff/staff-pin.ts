/** PINs of staff on a tablet that they share: docs/rules/staff.md, "A shared tablet". */

export const PIN_DIGITS = 4;
/** Wrong ones in a row, after which the PIN no longer counts. */
export const PIN_TRIES = 5;
/** Minutes without use after which a tablet asks for a PIN again; what can be chosen. */
export const IDLE_MINUTES = [1, 2, 5, 10, 30] as const;

/** Whether somebody at the bar would try this one first: 0000, 1234, 4321, 1212, 1122, and years such as 1987. */
export function isEasyPin(pin: string): boolean {
  const digits = [...pin].map(Number);
  const steps = digits.slice(1).map((digit, i) => (digit - (digits[i] ?? 0) + 10) % 10);
  const isRun = steps.every((step) => step === steps[0]) && [0, 1, 9].includes(steps[0] ?? 0);
  const [first, second, third, fourth] = pin;
  const isPairs = (first === third && second === fourth) || (first === second && third === fourth);
  return isRun || isPairs || /^(19|20)/.test(pin);
}
