import '../messages.ts';
import { z } from 'zod';
import type { FieldRule, FormRules, NumberStep, TextStep } from './field-rule.ts';
import { TEXT_CHANGES } from './field-rule.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];
type CheckDef = z.core.$ZodChecks['_zod']['def'];
type Issue = Parameters<z.core.$ZodErrorMap>[0];

const defOf = (schema: Schema) => schema._zod.def as Def;

/** The message that zod would give: from the schema, else from messages.ts, else zod's own. */
function messageFor(def: { error?: unknown }, issue: object): string {
  const raw = { path: [], ...issue } as unknown as Issue;
  const own = def.error as z.core.$ZodErrorMap | undefined;
  const { customError, localeError } = z.config();
  const found = own?.(raw) ?? customError?.(raw) ?? localeError?.(raw);
  return typeof found === 'string' ? found : (found?.message ?? 'Invalid input');
}

function changeStep(change: (text: string) => unknown): TextStep {
  const sample = ' a \u200BB@\u00FC.de ';
  for (const name of Object.keys(TEXT_CHANGES) as (keyof typeof TEXT_CHANGES)[]) {
    if (change(sample) === TEXT_CHANGES[name](sample)) return { change: name };
  }
  throw new Error('A form cannot repeat this change of a text: add it to TEXT_CHANGES');
}

function textStep(def: CheckDef): TextStep {
  switch (def.check) {
    case 'min_length': {
      const issue = { code: 'too_small', origin: 'string', minimum: def.minimum, inclusive: true, input: '' };
      return { min: def.minimum, message: messageFor(def, issue) };
    }
    case 'max_length': {
      const issue = { code: 'too_big', origin: 'string', maximum: def.maximum, inclusive: true, input: '' };
      return { max: def.maximum, message: messageFor(def, issue) };
    }
    case 'string_format': {
      if (!def.pattern) break;
      const { source, flags } = def.pattern;
      const message = messageFor(def, { code: 'invalid_format', format: def.format, input: '' });
      return { pattern: source, ...(flags ? { flags } : {}), message };
    }
    case 'overwrite':
      return changeStep(def.tx);
  }
  throw new Error(`A form cannot repeat the check ${def.check}: write it as a length or a pattern`);
}

function textSteps(schema: Schema): TextStep[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'string': {
      // A format such as z.email() is itself a check, before the added ones.
      const own = 'check' in def ? [def as unknown as CheckDef] : [];
      return [...own, ...(def.checks ?? []).map((check) => check._zod.def as CheckDef)].map(textStep);
    }
    case 'pipe':
      return [...textSteps(def.in), ...textSteps(def.out)];
    case 'transform':
      return [changeStep((text) => def.transform(text, { value: text, issues: [] } as never))];
    case 'enum':
    case 'literal': {
      const values = def.type === 'enum' ? Object.values(def.entries) : def.values;
      const message = messageFor(def, { code: 'invalid_value', values, input: '' });
      return [{ oneOf: values.map(String), message }];
    }
    default:
      throw new Error(`A form has no field for the type ${def.type}`);
  }
}

function numberStep(def: CheckDef): NumberStep {
  switch (def.check) {
    case 'number_format':
      return {
        int: true,
        message: messageFor(def, { code: 'invalid_type', expected: 'int', format: 'safeint', input: 0.5 }),
      };
    case 'greater_than': {
      const { value: minimum, inclusive } = def;
      const message = messageFor(def, { code: 'too_small', origin: 'number', minimum, inclusive });
      if (inclusive) return { least: Number(minimum), message };
      break;
    }
    case 'less_than': {
      const { value: maximum, inclusive } = def;
      const message = messageFor(def, { code: 'too_big', origin: 'number', maximum, inclusive });
      if (inclusive) return { most: Number(maximum), message };
      break;
    }
  }
  throw new Error(`A form cannot repeat the check ${def.check} of a number`);
}

function fieldRule(schema: Schema, empty?: 'null' | 'omit'): FieldRule {
  const def = defOf(schema);
  switch (def.type) {
    case 'optional':
    case 'default':
      return fieldRule(def.innerType, empty ?? 'omit');
    case 'nullable':
      return fieldRule(def.innerType, 'null');
    case 'number': {
      const missing = messageFor(def, { code: 'invalid_type', expected: 'number', input: undefined });
      const notNumber = messageFor(def, { code: 'invalid_type', expected: 'number', input: Number.NaN });
      const steps = (def.checks ?? []).map((check) => numberStep(check._zod.def as CheckDef));
      return { type: 'number', ...(empty ? { empty } : {}), missing, notNumber, steps };
    }
    default:
      return { type: 'text', ...(empty ? { empty } : {}), steps: textSteps(schema) };
  }
}

function shapeOf(schema: Schema): Record<string, Schema> {
  const def = defOf(schema);
  if (def.type === 'object') return def.shape;
  if (def.type === 'pipe') return shapeOf(def.in);
  throw new Error(`A form sends an object, not ${def.type}`);
}

/**
 * The rules of a form's fields as data, for a browser without zod (docs/decisions/forms.md). Throws if a schema contains
 * something that the browser cannot repeat, so that the build fails instead of a form being laxer.
 */
export function formRules<Input, Name extends keyof Input & string>(
  schema: z.core.$ZodType<unknown, Input>,
  names: readonly Name[],
): FormRules<Pick<Input, Name>> {
  const shape = shapeOf(schema);
  const rules = names.map((name) => {
    const field = shape[name];
    if (!field) throw new Error(`The call has no field ${name}`);
    return [name, fieldRule(field)];
  });
  return { fields: Object.fromEntries(rules) };
}
