import { expect, test } from 'vitest';
import { readEnv } from '../../../src/server/config/env.ts';
import { readOtlpHeaders } from '../../../src/server/config/monitoring-config.ts';

test('without settings nothing is measured and nothing is sent', () => {
  const env = readEnv({});
  expect(env.METRICS_PORT).toBeUndefined();
  expect(env.METRICS_HOST).toBe('127.0.0.1');
  expect(env.OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined();
});

test('the headers of a collector are percent-encoded pairs, separated by commas', () => {
  expect(readOtlpHeaders('')).toEqual({});
  expect(readOtlpHeaders('x-key=a%20b%2Cc, authorization=Basic%20dTpw')).toEqual({
    'x-key': 'a b,c',
    authorization: 'Basic dTpw',
  });
});

test.each(['hidden', 'a=1,hidden', 'a=%', 'a=%ff', 'a b=hidden'])(
  'headers %j are refused without quoting them',
  (value) => {
    const read = () => readEnv({ OTEL_EXPORTER_OTLP_HEADERS: value });
    expect(read).toThrow(/OTEL_EXPORTER_OTLP_HEADERS must be key=value, with commas/);
    expect(read).not.toThrow(/hidden/);
  },
);
