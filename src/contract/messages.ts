import * as z from 'zod/mini';

/** The default messages of an earlier version of the validation library: docs/rules/pages.md, "Forms". */
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        if (issue.input === undefined) return 'Required';
        return `Expected ${issue.expected}, received ${typeName(issue.input)}`;
      case 'too_small':
        if (issue.origin === 'number' || issue.origin === 'int') {
          return `Number must be greater than ${issue.inclusive ? 'or equal to ' : ''}${issue.minimum}`;
        }
        if (issue.origin === 'string') return `String must contain at least ${issue.minimum} character(s)`;
        return undefined;
      case 'too_big':
        if (issue.origin === 'number' || issue.origin === 'int') {
          return `Number must be less than ${issue.inclusive ? 'or equal to ' : ''}${issue.maximum}`;
        }
        if (issue.origin === 'string') return `String must contain at most ${issue.maximum} character(s)`;
        return undefined;
      case 'invalid_value':
        return issue.input === undefined
          ? 'Required'
          : `Invalid enum value. Expected ${issue.values.map((it) => `'${String(it)}'`).join(' | ')}`;
      case 'unrecognized_keys':
        return `Unrecognized key(s) in object: ${issue.keys.map((it) => `'${it}'`).join(', ')}`;
      case 'invalid_format':
        return `Invalid ${issue.format}`;
      default:
        return undefined;
    }
  },
});

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/**
 * Emails as browsers accept them, in a domain with a dot: the library's own pattern refuses 'tom&jo@' and '.xn--p1ai'. It is
 * changed in place, because the auth library checks with it too and has no option for another.
 */
z.regexes.email.compile(
  `^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,59})$`,
);

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isNaN(value) ? 'nan' : typeof value;
}
