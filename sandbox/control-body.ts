import { StripeFault } from './payments/http/errors.ts';

export type Body = Record<string, unknown>;

/** Reads JSON or a form; an empty body is an empty object. */
export async function read(request: Request): Promise<Body> {
  const text = await request.text();
  if (text === '') return {};
  if ((request.headers.get('content-type') ?? '').includes('form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  const body = parsed(text);
  if (body === undefined)
    throw new StripeFault(400, { type: 'invalid_request_error', message: 'The body is not valid JSON.' });
  return typeof body === 'object' && body !== null ? (body as Body) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
