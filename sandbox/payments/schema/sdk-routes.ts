import Stripe from 'stripe';

/** A method of the SDK: its name below the client, and the request that it sends, with `:id` for each id. */
export interface SdkRoute {
  method: string;
  path: string;
  name: string[];
}

/** Every route that the SDK's resources request, from calling each of their methods and sending nothing. */
export function sdkRoutes(): SdkRoute[] {
  const routes: SdkRoute[] = [];
  const visit = (node: object, above: string[]) => {
    for (const [key, value] of Object.entries(node)) {
      // Each resource refers back to the client.
      if (key === 'stripe' || key.startsWith('_') || typeof value !== 'object' || value === null) continue;
      const name = [...above, key];
      if (value instanceof Stripe.StripeResource) routes.push(...methodsOf(value, name));
      visit(value, name);
    }
  };
  visit(new Stripe('sk_test_unused'), []);
  return routes;
}

type Method = (...values: unknown[]) => unknown;

function methodsOf(resource: object, name: string[]): SdkRoute[] {
  const routes: SdkRoute[] = [];
  for (const key of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
    if (key === 'constructor') continue;
    const _makeRequest = (method: string, path: string) => {
      routes.push({ method, path: decodeURIComponent(path), name: [...name, key] });
    };
    const method: Method = Reflect.get(resource, key);
    // The last two are the parameters and the options; the ones before are ids.
    const ids = Array.from({ length: Math.max(0, method.length - 2) }, () => ':id');
    try {
      method.apply(Object.assign(Object.create(resource), { _makeRequest }), ids);
    } catch {
      // The SDK's own helpers send no request of a known form.
    }
  }
  return routes;
}
