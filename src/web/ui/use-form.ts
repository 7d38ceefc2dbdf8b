import { type FormEvent, useState } from 'react';
import type { core, input as InputOf } from 'zod/mini';
import { type Field, fieldLimits, mayBeEmpty, readField } from './read-field.ts';
import { useUnfinishedEntry } from './unfinished-entry.ts';
import { useSend } from './use-send.ts';

type Texts<Name extends string> = Partial<Record<Name, string>>;

type Fields = Record<string, Field>;
type Names<Shape extends Fields, Extra extends string> = NoInfer<(keyof Shape & string) | Extra>;

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

interface FormOptions<Shape extends Fields, Extra extends string> {
  /** The schemas of the call's fields, from src/contract/forms. */
  fields: Shape;
  /** Fields that are not in the call, such as a password typed twice. */
  extra?: readonly Extra[];
  values?: Texts<Names<Shape, Extra>>;
  /** Untouched fields follow `values`, so that a colleague's change shows and is not overwritten. */
  follow?: boolean;
  /** A rule over several fields. Its text goes to <FormError>, or with `at: 'field'` below that field, and focuses it. */
  alert?: (
    values: Record<Names<Shape, Extra>, string>,
    errors: Texts<Names<Shape, Extra>>,
  ) => { field: Names<Shape, Extra>; text: string; at?: 'field' } | null;
  /** Sends the input of the call: trimmed, without empty optional fields. */
  onSubmit: (input: NoInfer<InputOf<core.$ZodObject<Shape>>>) => unknown;
  /** The text for <FormError>, or errors by field, or nothing if the failure is shown in another way. */
  onError?: (error: unknown) => string | Texts<Names<Shape, Extra>> | undefined;
  /** The field to type again after a failure: it gets the focus, and its text is selected. */
  retry?: Names<Shape, Extra>;
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
export function useForm<Shape extends Fields, Extra extends string = never>(
  options: FormOptions<Shape, Extra>,
) {
  type Name = (keyof Shape & string) | Extra;
  type Input = InputOf<core.$ZodObject<Shape>>;
  const { extra = [], follow, alert, onSubmit, onError, retry } = options;
  const fields: Partial<Fields> = options.fields;
  const names = [...Object.keys(fields), ...extra] as Name[];
  const start = Object.fromEntries(names.map((name) => [name, options.values?.[name] ?? ''])) as Record<
    Name,
    string
  >;
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<Texts<Name>>({});
  const { busy, failure, fail, send } = useSend();
  const [saved, setSaved] = useState(values);
  const isTyped = names.some((name) => values[name] !== saved[name]);
  if (follow && names.some((name) => start[name] !== saved[name])) {
    const untouched = names.filter((name) => values[name] === saved[name]);
    setSaved(start);
    setValues({ ...values, ...Object.fromEntries(untouched.map((name) => [name, start[name]])) });
  }
  useUnfinishedEntry(busy ? 'sending' : isTyped ? 'typed' : null);

  const set = (name: Name, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
  };

  const leave = (name: Name) => {
    // Not while empty: an error that appears would move the button that the user is about to press.
    if (!values[name]) return;
    const result = readOne(fields, name, values);
    if ('error' in result) setErrors((before) => ({ ...before, [name]: result.error }));
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
    const { input, errors: texts } = readAll(fields, names, entered, (name) => control(form, name) !== null);
    const whole = alert?.(entered, texts);
    const atField = whole?.at === 'field';
    if (whole && atField) texts[whole.field] ??= whole.text;
    else if (whole) delete texts[whole.field];
    setErrors(texts);
    fail(whole && !atField ? whole.text : '');
    if (!whole && Object.keys(texts).length === 0) return input as Input;
    const wrong = firstOf(form, texts) ?? (whole && control(form, whole.field));
    if (wrong) bringToView(wrong);
    return null;
  };

  const show = (error: unknown, form: HTMLFormElement) => {
    const outcome = onError?.(error);
    if (typeof outcome === 'object') setErrors(outcome);
    const again = retry ?? (typeof outcome === 'object' ? names.find((name) => name in outcome) : undefined);
    const field = again && control(form, again);
    if (field) {
      bringToView(field);
      field.select();
    }
    return typeof outcome === 'string' ? outcome : undefined;
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
    /** Sends something other than the fields, such as a reset, with the form's busy state and errors. */
    send: (work: () => unknown) => send(work, (error) => onError?.(error)),
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
      ...fieldLimits(fields[name]),
    }),
  };
}

/** Fields whose `value` is what is typed, unlike that of a box to tick or a list. */
const TYPED = 'input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea';

function readOne<Name extends string>(fields: Partial<Fields>, name: Name, values: Record<Name, string>) {
  const field = fields[name];
  return field ? readField(field, values[name]) : { value: values[name] };
}

/** A field hidden by another choice is left out: if it is optional, even with text in it. */
function readAll<Name extends string>(
  fields: Partial<Fields>,
  names: Name[],
  values: Record<Name, string>,
  isShown: (name: Name) => boolean,
) {
  const input: Record<string, unknown> = {};
  const errors: Texts<Name> = {};
  for (const name of names) {
    const field = fields[name];
    if (field && !isShown(name) && (values[name] === '' || mayBeEmpty(field))) continue;
    const reading = readOne(fields, name, values);
    if ('error' in reading) errors[name] = reading.error;
    else if (field && reading.value !== undefined) input[name] = reading.value;
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
