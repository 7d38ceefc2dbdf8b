import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isNewer } from '../../../src/domain/monitoring/version.ts';
import { ownVersion } from '../../../src/server/config/version.ts';
import { findNewerRelease } from '../../../src/server/monitoring/update-check.ts';
import { runHere } from '../../support/harness/program.ts';

let server: Server;
let url: string;
let asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/moved') response.writeHead(302, { location: '/' });
    if (request.url === '/page') return response.end('<html>');
    response.end(request.url === '/long' ? ' '.repeat(20_000) : '{"version":"1.10.0","more":true}');
  });
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

it.each([
  ['1.10.0', '1.9.9', true],
  ['1.9.9', '1.10.0', false],
  ['2.0.0', '1.99.99', true],
  ['1.0.0', '1.0.0', false],
])('%s against %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer);
});

it('names a newer release, and nothing else, with one request that carries no data', async () => {
  asked = [];
  expect(await findNewerRelease(url, '1.9.0')).toBe('1.10.0');
  expect(await findNewerRelease(url, '1.10.0')).toBeNull();
  expect(asked).toEqual(['GET /', 'GET /']);
});

it('follows no redirect, and reads no more than a version needs', async () => {
  await expect(findNewerRelease(`${url}moved`, '1.0.0')).rejects.toThrow();
  await expect(findNewerRelease(`${url}long`, '1.0.0')).rejects.toThrow('too long');
});

it('says what to check when no release is named', async () => {
  await expect(findNewerRelease(`${url}page`, '1.0.0')).rejects.toThrow(
    /names no version, such as .*: check its address/,
  );
  await expect(findNewerRelease('http://127.0.0.1:1/', '1.0.0')).rejects.toThrow(
    /^UPDATE_URL cannot be reached \(.+\)/,
  );
});

it('cellar-door update-check names the newer release, and fails without UPDATE_URL or an answer', async () => {
  const check = (address: string) => runHere('update-check', [], { UPDATE_URL: address });
  expect(await check(url)).toEqual({
    code: 0,
    output: `Version 1.10.0 is there; this is ${ownVersion()}. docs/run/upgrade.md says how to update.\n`,
  });
  expect(await check(`${url}page`)).toMatchObject({
    code: 1,
    output: expect.stringContaining('names no version'),
  });
  asked = [];
  expect(await runHere('update-check', [])).toMatchObject({
    code: 1,
    output: expect.stringContaining('UPDATE_URL is not set'),
  });
  expect(asked).toEqual([]);
});
