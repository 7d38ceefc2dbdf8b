import { isContractProcedure } from '@orpc/contract';
import { contract } from '../../../src/contract/index.ts';
import type { AccessRequest, AccessResponse, Cast } from './cast.ts';
import { PROCEDURES, type Request, ROUTES } from './requests.ts';

const FORM = {
  body: 'grant_type=client_credentials',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

/** The request for a row of the access table, by the row's name. */
export function rowOf(name: string): { request: Request; build(cast: Cast): Promise<AccessRequest> } {
  const procedure = procedures.get(name);
  if (!procedure) {
    const { path, body, ...request } = ROUTES[name] ?? {};
    const [method = '', mounted = ''] = name.split(' ');
    const build = async (cast: Cast) => {
      const to = { method, path: path ?? mounted };
      if (method === 'GET') return to;
      return body === 'form' ? { ...to, ...FORM } : { ...to, body: (await request.input?.(cast)) ?? {} };
    };
    return { request, build };
  }
  const request = PROCEDURES[name] ?? {};
  const build = async (cast: Cast) => {
    const sent: { query?: Record<string, string>; headers?: Record<string, string>; body?: object } =
      (await request.input?.(cast)) ?? {};
    if (procedure.detailed) {
      const path = `/api${procedure.path}?${new URLSearchParams(sent.query)}`;
      const { headers = {}, body } = sent;
      return { method: procedure.method, path, headers, ...(body && { body }) };
    }
    const input = Object.entries(sent);
    const inPath = (key: string) => procedure.path.includes(`{${key}}`);
    const path = input.reduce(
      (at, [key, value]) => at.replace(`{${key}}`, String(value)),
      String(procedure.path),
    );
    const body = Object.fromEntries(input.filter(([key]) => !inPath(key)));
    if (procedure.method !== 'GET') return { method: procedure.method, path: `/api${path}`, body };
    const query = new URLSearchParams(
      Object.entries(body).map(([key, value]) => [key, String(value)]),
    ).toString();
    return { method: 'GET', path: `/api${path}${query && `?${query}`}` };
  };
  return { request, build };
}

/**
 * The method and path of every procedure of the contract, by its name ('pours.record'). `detailed` procedures take query
 * and headers separately.
 */
export const procedures = new Map<string, { method: string; path: `/${string}`; detailed: boolean }>(
  Object.entries(contract).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, procedure]) => {
      if (!isContractProcedure(procedure)) throw new Error(`${noun}.${verb} is not a procedure`);
      const { method = 'POST', path = '/', inputStructure } = procedure['~orpc'].route;
      return [`${noun}.${verb}`, { method, path, detailed: inputStructure === 'detailed' }];
    }),
  ),
);

const LETTERS: Record<string, string> = {
  '401 NOT_SIGNED_IN': '-',
  '403 NOT_ALLOWED': 'x',
  '403 TWO_FACTOR_REQUIRED': '2',
  '404 NOT_FOUND': '0',
  '404 NO_SUBSCRIPTION': 'n',
  '409 CUSTOMER_NOT_ACTIVE': 'n',
  '409 TASTE_IN_APPLICATION': 'n',
};

/** The sign for a response in the access table, or the response itself if there is none. */
export function letterOf({ status, text }: AccessResponse, deserves: string[] = []): string {
  if (status < 400) return 'o';
  const { code = '' } = JSON.parse(text) as { code?: string };
  if (status < 500 && deserves.includes(code)) return 'i';
  return LETTERS[`${status} ${code}`] ?? `${status} ${text}`;
}
