import { z } from 'zod';

const PAIR = /^\s*[\w-]+=[^,]*$/;

/** OTEL_EXPORTER_OTLP_HEADERS: key=value pairs with commas, values percent-encoded, as the OpenTelemetry standard says. */
export const otlpHeadersVariable = z
  .string()
  .refine(
    (text) => text === '' || (text.split(',').every((pair) => PAIR.test(pair)) && isDecodable(text)),
    'must be key=value, with commas',
  )
  .default('');

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function readOtlpHeaders(text: string): Record<string, string> {
  const pairs = text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const;
    });
  return Object.fromEntries(pairs);
}
