import { clubLines } from '../../../contract/forms/club-fields.ts';
import type { ClubSettings } from '../../../domain/club/club-settings.ts';

/** The settings with one input each; the others have their own cards. */
export type LineField = keyof typeof clubLines;
const LINE_FIELDS = Object.keys(clubLines) as LineField[];

export const textsOf = (values: ClubSettings) =>
  Object.fromEntries(LINE_FIELDS.map((field) => [field, String(values[field] ?? '')])) as Record<
    LineField,
    string
  >;

export function valueText(field: LineField, text: string): string {
  if (field === 'annual_notice') return text === 'true' ? 'Yes' : 'No';
  return text === '' ? 'none' : text;
}
