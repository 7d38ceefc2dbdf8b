import { emailAddress } from '../../domain/email-address.ts';
import { visibleText } from '../../domain/visible-text.ts';

export const TEXT_CHANGES = {
  trim: (text: string) => text.trim(),
  noSpaces: (text: string) => text.replaceAll(/\s/g, ''),
  visible: visibleText,
  email: emailAddress,
};

/** One step on the text of a field, in the order of the schema: a check with its message, or a change. */
export type TextStep =
  | { min: number; message: string }
  | { max: number; message: string }
  | { pattern: string; flags?: string; message: string }
  | { oneOf: string[]; message: string }
  | { change: keyof typeof TEXT_CHANGES };

export type NumberStep =
  | { int: true; message: string }
  | { least: number; message: string }
  | { most: number; message: string };

/** `empty`: an empty field is sent as null or left out; by default, as empty text. */
export type FieldRule =
  | { type: 'text'; empty?: 'null' | 'omit'; steps: TextStep[] }
  | { type: 'number'; empty?: 'null' | 'omit'; missing: string; notNumber: string; steps: NumberStep[] };

/** The rules of one form, made from the schema of its call. */
export interface FormRules<Input = unknown> {
  fields: Record<keyof Input & string, FieldRule>;
  /** The input of the call, for the types only; it never exists at run time. */
  input?: Input;
}
