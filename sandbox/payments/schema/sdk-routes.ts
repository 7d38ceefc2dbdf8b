import Stripe from 'stripe';

/** A method of the SDK: its name below the client, and the request that it sends, with `:id` for each id. */
export interface SdkRoute {
  method: string;
  path: string;
  name: string[];
}

type Method = (...values: unknown[]) => unknown;

/** Every route that the SDK's resources request, found by calling each method with an HTTP client that sends nothing. */
export async function sdkRoutes(): Promise<SdkRoute[]> {
  const recorder = new Recorder();
  const client = new Stripe('sk_test_unused', { httpClient: recorder, maxNetworkRetries: 0, telemetry: false });
  const routes: SdkRoute[] = [];
  const visit = async (node: object, parents: string[]) => {
    for (const [key, value] of Object.entries(node)) {
      // Each resource refers back to the client.
      if (key === 'stripe' || key.startsWith('_') || typeof value !== 'object' || value === null) continue;
      const name = [...parents, key];
      if (value instanceof Stripe.StripeResource) {
        for (const method of methodsOf(value)) {
          const request = await recorder.requestOf(() => call(value, method));
          if (request) routes.push({ ...request, name: [...name, method] });
        }
      }
      await visit(value, name);
    }
  };
  await visit(client, []);
  return routes;
}

const methodsOf = (resource: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((key) => key !== 'constructor');

function call(resource: object, key: string): unknown {
  const method: Method = Reflect.get(resource, key);
  // The last two are the parameters and the options; the ones before are ids.
  const ids = Array.from({ length: Math.max(0, method.length - 2) }, () => ':id');
  return method.apply(resource, ids);
}

/** An HTTP client for the SDK that notes each request and fails it. */
class Recorder extends Stripe.HttpClient {
  #sent: Pick<SdkRoute, 'method' | 'path'> | null = null;

  override getClientName(): string {
    return 'recorder';
  }

  override makeRequest(_host: string, _port: string | number, path: string, method: string): Promise<never> {
    this.#sent = { method, path: decodeURIComponent(path.split('?')[0] ?? '') };
    return Promise.reject(new Error('Nothing is sent'));
  }

  /** The request that `work` makes; null for a helper of the SDK that sends none. */
  async requestOf(work: () => unknown): Promise<Pick<SdkRoute, 'method' | 'path'> | null> {
    this.#sent = null;
    try {
      await work();
    } catch {
      // Every request fails, and some helpers refuse to be called without arguments.
    }
    return this.#sent;
  }
}
