import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTypes, { type OpenAPI3 } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument, operationsOf } from '../../src/server/http/docs/openapi.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

let document: Awaited<ReturnType<typeof openApiDocument>>;
beforeAll(async () => {
  document = await openApiDocument('https://club.example');
});

async function problemsOf(source: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(source), config });
  return problems.map(({ ruleId, location, message }) => `${ruleId}: ${location[0]?.pointer} ${message}`);
}

describe('the published document', () => {
  it("passes Redocly's recommended rules, without a warning", async () => {
    expect(await problemsOf(document)).toEqual([]);
  });

  it('would not pass with a call that has no summary', async () => {
    const broken = structuredClone(document);
    delete broken.paths?.['/pours']?.post?.summary;
    expect(await problemsOf(broken)).toEqual([expect.stringMatching(/^operation-summary: .*pours/)]);
  });

  it('puts every call into one group, and gives it a summary', () => {
    const operations = [...operationsOf(document)].map(({ operation }) => operation);
    const tags = new Set(document.tags?.map(({ name }) => name));
    const without = operations.filter(({ tags: own }) => own?.length !== 1 || !tags.has(own[0] ?? ''));
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
    for (const { summary } of operations) expect(summary).toMatch(/^[A-Z][^.]{3,80}$/);
  });

  it('says of each call who may make it: role, permission and scope', () => {
    const last = (path: string, method: 'get' | 'post') =>
      document.paths?.[path]?.[method]?.description?.split('\n\n').at(-1);
    expect(last('/reports/revenue', 'get')).toBe(
      'For the role `staff`, with the permission `see_reports`. API clients need the scope `reports:read`.',
    );
    expect(last('/pours', 'post')).toBe(
      'For the role `staff`. Also on a shared tablet. API clients need the scope `pours:write`.',
    );
    expect(last('/auth/user', 'get')).toContain('Closed to API clients.');
    for (const { operation } of operationsOf(document)) {
      expect(operation.description).toMatch(
        /(?:Open to everyone\.|Closed to API clients\.|scope `[a-z:]+`\.)$/,
      );
    }
  });

  it('has patterns that other languages can read, and calls a day a date', () => {
    const patterns: string[] = [];
    JSON.stringify(document, (key, value) => {
      if (key === 'pattern') patterns.push(value);
      return value;
    });
    expect(patterns.length).toBeGreaterThan(50);
    expect(patterns.filter((it) => /\\[pP]\{|\(\?[!=<]|\\u/.test(it))).toEqual([]);
    const day = { name: 'from', schema: { type: 'string', format: 'date', maxLength: 10 } };
    expect(document.paths?.['/reports/revenue']?.get?.parameters).toContainEqual(
      expect.objectContaining(day),
    );
  });

  it('names the refusals that come before a call’s own', () => {
    for (const { method, operation } of operationsOf(document)) {
      const { responses = {}, operationId } = operation;
      const named = JSON.stringify([responses[400], responses[403], responses[413]]);
      const more = method === 'get' ? [] : ['FOREIGN_ORIGIN', 'BODY_TOO_LARGE'];
      for (const code of ['BAD_REQUEST', ...more]) expect(named, operationId).toContain(`/${code}"`);
    }
    expect(document.paths?.['/auth/logout']?.post?.responses?.[415]).toMatchObject({
      description: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });

  it('lists the errors of a call', () => {
    const { responses } = document.paths?.['/pours']?.post ?? {};
    expect(responses).toMatchObject({
      400: { $ref: '#/components/responses/BAD_REQUEST' },
      404: { description: 'NOT_FOUND' },
      409: { description: 'CUSTOMER_NOT_ACTIVE, POURS_EXCEEDED, REQUEST_ID_REUSED, GUEST_GLASS_REFUSED' },
      503: { $ref: '#/components/responses/SERVICE_UNAVAILABLE' },
    });
    expect(document.components?.schemas?.POURS_EXCEEDED).toMatchObject({
      properties: { code: { const: 'POURS_EXCEEDED' }, data: { required: ['available_pours'] } },
    });
  });
});

/** A till in a few lines. The last call must not compile. */
const TILL = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const api = createClient<paths>({ baseUrl: 'https://club.example/api' });

export async function pourOne(customer_id: string, request_id: string): Promise<number> {
  const { data, error } = await api.POST('/pours', {
    body: { request_id, customer_id, quantity: 1, location: 'bar' },
  });
  if (data) return data.pours_balance;
  if (error?.code === 'POURS_EXCEEDED') return error.data.available_pours;
  throw new Error(error.message);
}

export const wrong = api.POST('/pours', {
  // @ts-expect-error: a place is named by its id, a text.
  body: { request_id: '', customer_id: '', quantity: 1, location: 7 },
});
`;

describe('a client made from it', () => {
  let folder: string;
  beforeAll(async () => {
    // Inside the project, where the packages are found.
    folder = await mkdtemp(join(root, 'node_modules', '.typed-client-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has the types of the calls and of their errors', async () => {
    await writeFile(join(folder, 'api.ts'), await openapiTypes(document as unknown as OpenAPI3));
    await writeFile(join(folder, 'till.ts'), TILL);
    const options = '--ignoreConfig --noEmit --strict --module nodenext --target es2024 --types node';
    const checked = await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...options.split(' '),
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      join(folder, 'till.ts'),
    ]).catch((error: { stdout: string; stderr: string }) => error);
    expect(checked.stdout + checked.stderr).toBe('');
  });
});
