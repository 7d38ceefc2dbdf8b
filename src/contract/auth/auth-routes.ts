import { contract } from '../index.ts';

type AuthCall = keyof typeof contract.auth;

/** The method and path of each sign-in call, as data: the only part of the contract that pages before sign-in need. */
export function authRoutes(): Record<AuthCall, { method: string; path: string }> {
  const calls = Object.entries(contract.auth).map(([name, call]) => {
    const { method = 'POST', path = '' } = call['~orpc'].route;
    return [name, { method, path }];
  });
  return Object.fromEntries(calls);
}
