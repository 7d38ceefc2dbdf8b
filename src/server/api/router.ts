import type { AnyContractProcedure } from '@orpc/contract';
import type { AnyProcedure, Router } from '@orpc/server';
import type { Contract } from '../../contract/index.ts';
import { type ApiContext, browserOnly, clearEndedSession, enforce, os } from './authorize.ts';
import type { Call } from './call.ts';
import { CALLS } from './calls/index.ts';

interface Unimplemented {
  use(middleware: ReturnType<typeof enforce>): Unimplemented;
  handler(run: (request: { context: never; input: never }) => unknown): AnyProcedure;
}

function implementCall(name: string, call: Call): AnyProcedure {
  const [noun = '', verb = ''] = name.split('.');
  let procedure = (os as unknown as Record<string, Record<string, Unimplemented>>)[noun]?.[verb];
  if (!procedure) throw new Error(`the contract has no call ${name}`);
  if (call.endsSession) procedure = procedure.use(clearEndedSession);
  procedure = procedure.use(enforce(name, call));
  if (call.browserOnly) procedure = procedure.use(browserOnly);
  return procedure.handler(({ context, input }) => call.verb(context, input));
}

type Api = {
  [Noun in keyof Contract]: {
    [Verb in keyof Contract[Noun]]: Contract[Noun][Verb] extends AnyContractProcedure
      ? Router<Contract[Noun][Verb], ApiContext>
      : never;
  };
};

function implementCalls(): Api {
  const nouns: Record<string, Record<string, AnyProcedure>> = {};
  for (const [name, call] of Object.entries(CALLS)) {
    const [noun = '', verb = ''] = name.split('.');
    nouns[noun] = { ...nouns[noun], [verb]: implementCall(name, call) };
  }
  return nouns as Api;
}

/** Every procedure behind its policy. There is no other way in. */
export const api = implementCalls();
