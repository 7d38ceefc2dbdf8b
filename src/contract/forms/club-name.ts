import * as z from 'zod/mini';
import { requiredField } from './text-field.ts';

export const clubName = requiredField(60, 'Enter a name.').check(
  z.regex(/^\P{Cc}*$/u, 'Use one line of plain text.'),
);
