/** PINs of staff on a shared tablet: docs/rules/staff.md, "A shared tablet". */

export const PIN_DIGITS = 4;
/** Consecutive wrong PINs after which the PIN is locked. */
export const PIN_TRIES = 5;
/** Choices for the minutes without use after which a tablet asks for a PIN again. */
export const IDLE_MINUTES = [1, 2, 5, 10, 30] as const;

/** Whether a person at the bar would try this PIN first: 0000, 1234, 4321, 1212, 1122, and years such as 1987. */
export function isEasyPin(pin: string): boolean {
  const digits = [...pin].map(Number);
  const steps = digits.slice(1).map((digit, i) => (digit - (digits[i] ?? 0) + 10) % 10);
  const isRun = steps.every((step) => step === steps[0]) && [0, 1, 9].includes(steps[0] ?? 0);
  const [first, second, third, fourth] = pin;
  const isPairs = (first === third && second === fourth) || (first === second && third === fourth);
  return isRun || isPairs || /^(19|20)/.test(pin);
}
