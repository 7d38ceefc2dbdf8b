import { createHash } from 'node:crypto';
import type { IdempotentResponse } from '../store/state.ts';
import type { World } from '../store/world.ts';
import { newId } from '../store/world.ts';
import { invalid, StripeFault } from './errors.ts';
import { expanded } from './expand.ts';
import { parseForm, type RawObject } from './form.ts';
import { match, type Route } from './routes.ts';
import { API_VERSION } from './version.ts';
import { serialize } from './wire.ts';

export interface ApiRequest {
  method: string;
  path: string;
  query: string;
  body: string;
  header(name: string): string | undefined;
  /** An error that ends the request: before it did anything, or after it did everything. */
  failure?: { when: 'before' | 'after'; fault: StripeFault } | undefined;
}

export interface ApiResponse {
  status: number;
  body: string;
  headers: Record<string, string>;
}

const DAY_MS = 86_400_000;

/** Handles one API request synchronously, so that two with one idempotency key never overlap. The caller saves. */
export function handleRequest(world: World, routes: Route[], request: ApiRequest): ApiResponse {
  const id = newId('req', 14);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'request-id': id,
    'stripe-version': API_VERSION,
  };
  try {
    authorize(request);
    refuseOtherVersion(request);
    const raw = readParameters(request);
    const target = match(routes, request.method, request.path);
    if (!target) throw unknownPath(request);
    const call = target.route.prepare(world, target.id, raw);
    const key = request.method === 'POST' ? request.header('idempotency-key') : undefined;
    if (key !== undefined) headers['idempotency-key'] = key;
    const before = key === undefined ? null : recall(world, key, request, raw);
    if (before) {
      headers['idempotent-replayed'] = 'true';
      headers['original-request'] = before.request;
      return { status: before.status, body: before.body, headers };
    }
    world.cause = { request: id, idempotency_key: key ?? null };
    const response = execute(world, call, id, request.failure);
    if (key !== undefined)
      world.state.idempotent_responses[key] = {
        method: request.method,
        path: request.path,
        fingerprint: fingerprint(raw),
        ...response,
        request: id,
        at: world.real(),
      };
    // The SDK expects this header, because retrying with the same key would only replay the error.
    if (response.status >= 500) headers['stripe-should-retry'] = 'false';
    return { ...response, headers };
  } catch (fault) {
    return { ...envelope(fault, id), headers };
  } finally {
    world.cause = { request: null, idempotency_key: null };
  }
}

/** Runs the request. Stripe stores the response under the key, even an error. */
function execute(
  world: World,
  call: { expand: string[]; run: () => object },
  id: string,
  failure: ApiRequest['failure'],
): { status: number; body: string } {
  try {
    if (failure?.when === 'before') throw failure.fault;
    const response = call.run();
    if (failure) throw failure.fault;
    return { status: 200, body: serialize(expanded(world, response, call.expand)) };
  } catch (fault) {
    return envelope(fault, id);
  }
}

/** Turns any error into Stripe's error envelope. Errors other than StripeFault are bugs in the sandbox: 500. */
export function envelope(fault: unknown, request: string): { status: number; body: string } {
  const isFault = fault instanceof StripeFault;
  if (!isFault) console.error('The payments sandbox failed:', fault);
  const status = isFault ? fault.status : 500;
  const error = isFault
    ? fault.body
    : {
        type: 'api_error',
        message: `The sandbox failed: ${fault instanceof Error ? fault.message : 'unknown'}`,
      };
  return {
    status,
    body: JSON.stringify({ error: { ...error, request_log_url: `/_sandbox/requests/${request}` } }),
  };
}

function authorize(request: ApiRequest): void {
  const header = request.header('authorization') ?? '';
  const basic = /^Basic (.+)$/i.exec(header)?.[1];
  const key = basic
    ? (Buffer.from(basic, 'base64').toString().split(':')[0] ?? '')
    : header.replace(/^Bearer /i, '');
  const refuse = (message: string) => new StripeFault(401, { type: 'invalid_request_error', message });
  if (key === '')
    throw refuse(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  if (/^(sk|rk)_live_/.test(key))
    throw refuse('This is the payments sandbox, which refuses live keys. Use a test key (sk_test_...).');
  if (!/^(sk|rk)_test_\w+$/.test(key)) throw refuse(`Invalid API Key provided: ${key.slice(0, 8)}****`);
}

function refuseOtherVersion(request: ApiRequest): void {
  const version = request.header('stripe-version');
  if (version !== undefined && version !== API_VERSION)
    throw invalid(
      `This sandbox supports only API version ${API_VERSION}, the version of its Stripe SDK; the request has ${version}.`,
    );
}

function readParameters(request: ApiRequest): RawObject {
  if (request.method === 'GET' || request.body === '') return parseForm(request.query);
  const type = request.header('content-type') ?? '';
  if (!type.includes('application/x-www-form-urlencoded'))
    throw invalid(
      `Invalid request (check that your POST content type is application/x-www-form-urlencoded). You sent ${type || 'none'}.`,
    );
  return { ...parseForm(request.query), ...parseForm(request.body) };
}

function unknownPath(request: ApiRequest): StripeFault {
  return new StripeFault(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${request.method}: ${request.path}). Please see https://docs.stripe.com or we can help at https://support.stripe.com/. (The sandbox serves the part of the API that memberships need.)`,
  });
}

function recall(world: World, key: string, request: ApiRequest, raw: RawObject): IdempotentResponse | null {
  if (key.length > 255) throw invalid('The idempotency key must be at most 255 characters.');
  const before = Object.hasOwn(world.state.idempotent_responses, key)
    ? world.state.idempotent_responses[key]
    : undefined;
  if (!before) return null;
  if (world.real() - before.at > DAY_MS) {
    delete world.state.idempotent_responses[key];
    return null;
  }
  const mismatch = (way: string) =>
    new StripeFault(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used ${way} they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  if (before.method !== request.method || before.path !== request.path)
    throw mismatch(`for the same endpoint ('${before.path}')`);
  if (before.fingerprint !== fingerprint(raw)) throw mismatch('with the same parameters');
  return before;
}

function fingerprint(raw: RawObject): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(raw)))
    .digest('hex');
}

function ordered(raw: RawObject | string): unknown {
  if (typeof raw === 'string') return raw;
  return Object.keys(raw)
    .sort()
    .map((key) => [key, ordered(raw[key] ?? '')]);
}
