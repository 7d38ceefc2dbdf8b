import { type FormEvent, useState } from 'react';
import type { FieldRule, FormRules } from '../../contract/forms/field-rule.ts';
import { fieldLimits, readField } from './read-field.ts';
import { useUnfinishedEntry } from './unfinished-entry.ts';
import { useSend } from './use-send.ts';

type Texts<Name extends string> = Partial<Record<Name, string>>;

type Names<Input, Extra extends string> = NoInfer<(keyof Input & string) | Extra>;

export interface FieldAttributes {
  name: string;
  value: string;
  error?: string;
  required?: boolean;
  optional?: boolean;
  maxLength?: number;
  onChange: (event: { target: { value: string } }) => void;
  onBlur: () => void;
}

interface FormOptions<Input, Extra extends string> {
  /** The rules of the call that this form sends: `formRules.updateProfile` from 'virtual:form-rules'. */
  rules: FormRules<Input>;
  /** Fields that are not in the call, such as a password typed twice. */
  extra?: readonly Extra[];
  values?: Texts<Names<Input, Extra>>;
  /** A rule over several fields. Its text goes to <FormError>, or with `at: 'field'` below that field, and focuses it. */
  alert?: (
    values: Record<Names<Input, Extra>, string>,
    errors: Texts<Names<Input, Extra>>,
  ) => { field: Names<Input, Extra>; text: string; at?: 'field' } | null;
  /** Sends the input of the call: trimmed, without empty optional fields. */
  onSubmit: (input: NoInfer<Input>) => unknown;
  /** The text for <FormError>, or errors by field, or nothing if the failure is shown in another way. */
  onError?: (error: unknown) => string | Texts<Names<Input, Extra>> | undefined;
  /** The field to type again after a failure: it gets the focus, and its text is selected. */
  retry?: Names<Input, Extra>;
}

/**
 * One form on the schema of its call: values, limits, errors and sending. The error of a field appears when the field
 * is left with a wrong text in it, or on submit, and goes when the text changes. A failed `onSubmit` keeps the values.
 *
 *     <form {...form.props}>
 *       <TextField label="Name" {...form.field('name')} />
 *       <FormError of={form.failure} />
 *       <Button type="submit" busy={form.busy}>Save</Button>
 */
export function useForm<Input, Extra extends string = never>(options: FormOptions<Input, Extra>) {
  type Name = (keyof Input & string) | Extra;
  const { extra = [], alert, onSubmit, onError, retry } = options;
  const rules: Rules = options.rules.fields;
  const names = [...Object.keys(rules), ...extra] as Name[];
  const [values, setValues] = useState(
    () =>
      Object.fromEntries(names.map((name) => [name, options.values?.[name] ?? ''])) as Record<Name, string>,
  );
  const [errors, setErrors] = useState<Texts<Name>>({});
  const { busy, failure, fail, send } = useSend();
  const [saved, setSaved] = useState(values);
  const isTyped = names.some((name) => values[name] !== saved[name]);
  useUnfinishedEntry(busy ? 'sending' : isTyped ? 'typed' : null);

  const set = (name: Name, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
  };

  const leave = (name: Name) => {
    // Not while empty: an error that appears would move the button that the user is about to press.
    if (!values[name]) return;
    const found = readOne(rules, name, values);
    if ('error' in found) setErrors((before) => ({ ...before, [name]: found.error }));
  };

  /** The values as they stand in the fields: browsers and password managers fill some in without an event. */
  const filledIn = (form: HTMLFormElement, but?: EventTarget): Record<Name, string> => {
    const filled = { ...values };
    for (const name of names) {
      const field = control(form, name);
      if (field && field !== but && field.matches(TYPED)) filled[name] = field.value;
    }
    return filled;
  };

  /** Keeps what was filled in from being replaced by the next render. The changed field reports itself. */
  const keepFilled = (form: HTMLFormElement, changed: EventTarget) => {
    const filled = filledIn(form, changed);
    const news = names.filter((name) => filled[name] !== values[name]);
    if (news.length === 0) return;
    setValues((before) => ({ ...before, ...Object.fromEntries(news.map((name) => [name, filled[name]])) }));
  };

  /** The input to send; null if there are errors, which are shown with the first field focused. */
  const collect = (form: HTMLFormElement, entered: Record<Name, string>): Input | null => {
    const { input, errors: found } = readAll(rules, names, entered, (name) => control(form, name) !== null);
    const whole = alert?.(entered, found);
    const atField = whole?.at === 'field';
    if (whole && atField) found[whole.field] ??= whole.text;
    else if (whole) delete found[whole.field];
    setErrors(found);
    fail(whole && !atField ? whole.text : '');
    if (!whole && Object.keys(found).length === 0) return input as Input;
    const wrong = firstOf(form, found) ?? (whole && control(form, whole.field));
    if (wrong) bringToView(wrong);
    return null;
  };

  const show = (error: unknown, form: HTMLFormElement) => {
    const shown = onError?.(error);
    if (typeof shown === 'object') setErrors(shown);
    const again = retry ?? (typeof shown === 'object' ? names.find((name) => name in shown) : undefined);
    const field = again && control(form, again);
    if (field) {
      bringToView(field);
      field.select();
    }
    return typeof shown === 'string' ? shown : undefined;
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (busy) return;
    const entered = filledIn(form);
    setValues(entered);
    const input = collect(form, entered);
    if (!input) return;
    const sent = await send(
      () => onSubmit(input),
      (error) => show(error, form),
    );
    if (sent) setSaved(entered);
  };

  return {
    values,
    failure,
    busy,
    /** Sets a field from something other than its input. */
    set,
    fail,
    /** Spread on <form>. The browser's own bubbles are off, since the fields show errors. */
    props: {
      noValidate: true,
      onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
      onInput: (event: FormEvent<HTMLFormElement>) => keepFilled(event.currentTarget, event.target),
      onBlur: (event: FormEvent<HTMLFormElement>) => keepFilled(event.currentTarget, event.target),
    },
    /** Spread on TextField, PasswordField, TextareaField, SelectField or Stepper. */
    field: (name: Name): FieldAttributes => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (event: { target: { value: string } }) => set(name, event.target.value),
      onBlur: () => leave(name),
      ...fieldLimits(rules[name]),
    }),
  };
}

/** Fields whose `value` is what is typed, unlike that of a box to tick or a list. */
const TYPED = 'input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea';

type Rules = Partial<Record<string, FieldRule>>;

function readOne<Name extends string>(rules: Rules, name: Name, values: Record<Name, string>) {
  const rule = rules[name];
  return rule ? readField(rule, values[name]) : { value: values[name] };
}

/** An optional field hidden by another choice is left out, even with text in it. */
function readAll<Name extends string>(
  rules: Rules,
  names: Name[],
  values: Record<Name, string>,
  isShown: (name: Name) => boolean,
) {
  const input: Record<string, unknown> = {};
  const errors: Texts<Name> = {};
  for (const name of names) {
    if (rules[name]?.empty && !isShown(name)) continue;
    const reading = readOne(rules, name, values);
    if ('error' in reading) errors[name] = reading.error;
    else if (name in rules && reading.value !== undefined) input[name] = reading.value;
  }
  return { input, errors };
}

function firstOf(form: HTMLFormElement, errors: Texts<string>): HTMLElement | undefined {
  return [...form.elements].find((it): it is HTMLInputElement => (it as HTMLInputElement).name in errors);
}

/** Focusing alone could leave the field, or the error below it, behind what is pinned to the window. */
function bringToView(field: HTMLElement) {
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'center' });
}

function control(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`[name="${name}"]`);
}
