import { type FieldRule, TEXT_CHANGES, type TextStep } from '../../contract/forms/field-rule.ts';

export type FieldReading = { value: string | number | null | undefined } | { error: string };

function passes(text: string, step: Exclude<TextStep, { change: unknown }>): boolean {
  // In code points, like zod.
  if ('min' in step) return [...text].length >= step.min;
  if ('max' in step) return [...text].length <= step.max;
  if ('oneOf' in step) return step.oneOf.includes(text);
  return new RegExp(step.pattern, step.flags).test(text);
}

/** Parses typed text by its field's rule: the same value or first message as the server's schema. */
export function readField(rule: FieldRule, typed: string): FieldReading {
  const whenEmpty = rule.empty === 'null' ? null : undefined;
  if (rule.type === 'number') {
    if (typed.trim() === '') return rule.empty ? { value: whenEmpty } : { error: rule.missing };
    const value = Number(typed);
    if (!Number.isFinite(value)) return { error: rule.notNumber };
    for (const step of rule.steps) {
      const wrong =
        'int' in step ? !Number.isInteger(value) : 'least' in step ? value < step.least : value > step.most;
      if (wrong) return { error: step.message };
    }
    return { value };
  }
  let value = typed;
  for (const step of rule.steps) {
    if ('change' in step) value = TEXT_CHANGES[step.change](value);
    // An empty optional field has no format; only a minimum length can forbid it.
    else if (value === '' && rule.empty && !('min' in step)) continue;
    else if (!passes(value, step)) return { error: step.message };
  }
  return { value: value === '' && rule.empty ? whenEmpty : value };
}

/** The attributes of an input from its rule; none without a rule. */
export function fieldLimits(rule: FieldRule | undefined) {
  if (!rule) return {};
  const required = 'error' in readField(rule, '');
  const longest = rule.type === 'text' ? rule.steps.find((step) => 'max' in step) : undefined;
  return { required, optional: !required, maxLength: longest?.max };
}
