import type Stripe from 'stripe';
import { unixSeconds } from '../../../domain/calendar.ts';
import type { BillingDeps } from '../billing-context.ts';
import { API_VERSION } from '../stripe-client.ts';
import { WEBHOOK_EVENTS } from '../webhook-events.ts';
import {
  attention,
  type Finding,
  failing,
  type PlannedStep,
  type SetupStep,
  toSetUp,
  well,
} from './setup-report.ts';
import { adoptSetupId, createOnce, isUnfinished } from './setup-requests.ts';
import { keptWebhookSecret, sealWebhookSecret } from './webhook-secrets.ts';

export const WEBHOOK_PATH = '/api/stripe/webhook';

const ABOUT = 'webhook endpoint';
const ALL_PAGES = { limit: 1000 };
const REACH_TIMEOUT_MS = 10_000;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

const webhookUrl = ({ publicUrl }: Pick<BillingDeps, 'publicUrl'>) => `${publicUrl}${WEBHOOK_PATH}`;

const isEnabled = ({ status }: Stripe.WebhookEndpoint) => status === 'enabled';

/** The endpoints that send to our URL, newest first. */
async function endpointsHere(deps: BillingDeps): Promise<Stripe.WebhookEndpoint[]> {
  const all = await deps.stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray(ALL_PAGES);
  return all.filter(({ url }) => url === webhookUrl(deps));
}

function compareEvents({ enabled_events }: Stripe.WebhookEndpoint): {
  missing: string[];
  needless: string[];
} {
  const needed: string[] = WEBHOOK_EVENTS;
  return {
    missing: enabled_events.includes('*') ? [] : needed.filter((it) => !enabled_events.includes(it)),
    needless: enabled_events.filter((it) => !needed.includes(it)),
  };
}

function isRight(endpoint: Stripe.WebhookEndpoint): boolean {
  const { missing, needless } = compareEvents(endpoint);
  return isEnabled(endpoint) && missing.length + needless.length === 0;
}

interface EndpointPlan {
  /** The endpoint that stays; null if a new one is needed. */
  keep: Stripe.WebhookEndpoint | null;
  /** Endpoints to disable: they duplicate the same events. */
  disable: Stripe.WebhookEndpoint[];
}

/**
 * Exactly one enabled endpoint should remain. An endpoint keeps its version for life, so one of another version is
 * replaced; and Stripe never shows a secret again, so one whose secret is unknown here is replaced if the new one can be
 * stored.
 */
async function planEndpoint(deps: BillingDeps): Promise<EndpointPlan> {
  const here = await endpointsHere(deps);
  const fitting = here.filter(({ api_version }) => api_version === API_VERSION);
  const kept = await keptWebhookSecret(deps);
  const ours = fitting.find(({ id }) => id === kept?.endpoint);
  const isKnown = deps.webhookSecrets.length > 0 || !deps.sealing;
  const known = ours ?? (isKnown ? (fitting.find(isEnabled) ?? fitting[0]) : undefined);
  const keep = known && !(await isUnfinished(deps, 'webhook_endpoint')) ? known : null;
  return { keep, disable: here.filter((it) => isEnabled(it) && it.id !== keep?.id) };
}

/** The planned steps for the endpoint. Throws Stripe's errors. */
export async function planWebhookEndpoint(deps: BillingDeps): Promise<PlannedStep[]> {
  const { keep, disable } = await planEndpoint(deps);
  const events = `${WEBHOOK_EVENTS.length} kinds of events`;
  const first: PlannedStep = !keep
    ? { outcome: 'make', text: `a webhook endpoint that sends ${events} to ${webhookUrl(deps)}` }
    : isRight(keep)
      ? { outcome: 'unchanged', text: `webhook endpoint ${keep.id}` }
      : { outcome: 'change', text: `webhook endpoint ${keep.id}: enabled, with ${events}` };
  const others = disable.map(
    ({ id }): PlannedStep => ({
      outcome: 'change',
      text: `webhook endpoint ${id}, to the same URL: disabled`,
    }),
  );
  return [first, ...others];
}

/** Makes Stripe send exactly the events we handle, in the version we read, to our URL. Throws Stripe's errors. */
export async function ensureWebhookEndpoint(
  deps: BillingDeps,
): Promise<{ steps: SetupStep[]; secret: string | null }> {
  const { keep, disable } = await planEndpoint(deps);
  const steps: SetupStep[] = [];
  const kept = keep ?? (await createEndpoint(deps));
  if (keep) steps.push(await updateEndpoint(deps, keep));
  else {
    const text = `webhook endpoint ${kept.id} sends ${WEBHOOK_EVENTS.length} kinds of events to ${kept.url}`;
    steps.push({ outcome: 'made', text });
  }
  // A request with a lost answer may have made one already.
  for (const other of disable.filter(({ id }) => id !== kept.id)) {
    await deps.stripe.webhookEndpoints.update(other.id, { disabled: true });
    steps.push({
      outcome: 'changed',
      text: `webhook endpoint ${other.id}, to the same URL, is disabled now`,
    });
  }
  return { steps, secret: keep ? null : (kept.secret ?? null) };
}

function createEndpoint(deps: BillingDeps): Promise<Stripe.WebhookEndpoint> {
  const params: Stripe.WebhookEndpointCreateParams = {
    url: webhookUrl(deps),
    enabled_events: WEBHOOK_EVENTS,
    api_version: API_VERSION,
    description: 'Cellar Door',
  };
  return createOnce(
    deps,
    'webhook_endpoint',
    params,
    (it, options) => deps.stripe.webhookEndpoints.create(it, options),
    (made) => sealWebhookSecret(deps, made),
  );
}

async function updateEndpoint(deps: BillingDeps, endpoint: Stripe.WebhookEndpoint): Promise<SetupStep> {
  await adoptSetupId(deps, 'webhook_endpoint', endpoint.id);
  const text = `webhook endpoint ${endpoint.id}`;
  if (isRight(endpoint)) return { outcome: 'unchanged', text };
  // No idempotency key: a second update to the same state must count if the state changed in between.
  await deps.stripe.webhookEndpoints.update(endpoint.id, {
    disabled: false,
    enabled_events: WEBHOOK_EVENTS,
  });
  return { outcome: 'changed', text: `${text} is enabled and sends the events that are handled` };
}

/** Whether Stripe sends what we need, and whether it arrives. Throws Stripe's errors. */
export async function checkWebhookEndpoint(deps: BillingDeps): Promise<Finding[]> {
  const here = await endpointsHere(deps);
  const enabled = here.filter(isEnabled);
  const [endpoint] = enabled;
  const findings = [await checkOurs(deps)];
  if (!endpoint) {
    const found = here.length > 0 ? 'is disabled' : 'does not exist';
    findings.unshift(toSetUp(ABOUT, `the one for ${webhookUrl(deps)} ${found}`));
    return findings;
  }
  findings.unshift(...describeEndpoint(endpoint, enabled.length), await checkDeliveries(deps));
  return findings;
}

function describeEndpoint(endpoint: Stripe.WebhookEndpoint, count: number): Finding[] {
  const { missing, needless } = compareEvents(endpoint);
  const problems: string[] = [];
  if (count > 1)
    problems.push(`${count} endpoints send to the same URL, so every event arrives ${count} times`);
  if (endpoint.api_version !== API_VERSION)
    problems.push(`its API version is ${endpoint.api_version ?? 'the account’s'}, not ${API_VERSION}`);
  if (missing.length > 0) problems.push(`it does not send ${missing.join(', ')}`);
  if (needless.length > 0) problems.push(`it sends events that nothing handles: ${needless.join(', ')}`);
  if (problems.length === 0)
    return [
      well(ABOUT, `${endpoint.id} is enabled, with the events that are handled, in version ${API_VERSION}`),
    ];
  return problems.map((it) => toSetUp(ABOUT, `${endpoint.id}: ${it}`));
}

/** Undelivered events, as Stripe counts them; those of the last hour may still be on their way. */
async function checkDeliveries({ stripe, now }: BillingDeps): Promise<Finding> {
  const seconds = unixSeconds(now());
  const { data, has_more } = await stripe.events.list({
    delivery_success: false,
    created: { gte: seconds - 3 * DAY_S, lte: seconds - HOUR_S },
    limit: 100,
  });
  if (data.length === 0) return well('deliveries', 'every event of the last three days arrived');
  const count = `${data.length}${has_more ? ' or more' : ''}`;
  return attention(
    'deliveries',
    `${count} events of the last three days did not reach every endpoint; Stripe's dashboard says which and why`,
  );
}

/** Sends our own URL a signed event that has no handler, as Stripe would. */
async function checkOurs(deps: BillingDeps): Promise<Finding> {
  const { stripe, now, wallClock = now } = deps;
  const url = webhookUrl(deps);
  const kept = await keptWebhookSecret(deps);
  const secret = kept?.secret ?? deps.webhookSecrets[0];
  if (!secret) {
    return toSetUp('webhook secret', 'none is known here, so nothing that Stripe sends is believed');
  }
  const name = kept ? 'the signing secret that setting up kept' : 'this STRIPE_WEBHOOK_SECRET';
  const timestamp = unixSeconds(wallClock());
  const payload = JSON.stringify({
    id: 'evt_check',
    object: 'event',
    api_version: API_VERSION,
    created: timestamp,
    type: 'cellar_door.check',
    data: { object: {} },
  });
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      body: payload,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      redirect: 'manual',
      signal: AbortSignal.timeout(REACH_TIMEOUT_MS),
    });
    if (status === 200) return well('our endpoint', `${url} answers, and knows ${name}`);
    if (status === 400)
      return failing(
        'our endpoint',
        `${url} does not know ${name}: ${kept ? 'is it this server that answers there?' : 'restart the server with it'}`,
      );
    const redirect = status >= 300 && status < 400 ? '; Stripe follows no redirects' : '';
    return failing('our endpoint', `${url} answers with status ${status}${redirect}`);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return failing('our endpoint', `${url} does not answer (${code ?? (error as Error).name})`);
  }
}
