/** Devices of one account that can get notifications; another one takes the place of the oldest. */
export const MAX_PUSH_DEVICES = 10;

/**
 * Whether a browser's push endpoint can be one: HTTPS at the usual port of a host with a public name, nothing else in it.
 * Where that name leads is checked again at each connection.
 */
export function isPushEndpoint(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, username, password, port, hostname, hash } = new URL(endpoint);
  const isName = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+$/.test(hostname);
  const isInternal = /\.(?:local|localhost|internal|intranet|lan|home|corp|arpa|test|invalid|onion)$/.test(
    hostname,
  );
  return protocol === 'https:' && !username && !password && !port && !hash && isName && !isInternal;
}
