import { z } from 'zod';
import { DELETE, GET, id, timestamp } from '../base.ts';
import { currentPassword } from '../forms/credentials.ts';
import { refusals } from '../refusals.ts';
import { orInHeader } from './auth-base.ts';
import { providerId } from './credentials.ts';

const linkedAccount = z.object({
  /** Null for a provider that is offered but not linked. */
  id: id.nullable(),
  provider: z.string(),
  label: z.string(),
  linked_at: timestamp.nullable(),
});
export type LinkedAccount = z.infer<typeof linkedAccount>;

const linkReturnPage = z.enum(['/account/security', '/staff/account']);

/** The password travels in a header, percent-encoded, because the call is a GET: URLs end up in logs. */
export const authorizeLinkInput = z.object({
  query: z.strictObject({ provider: providerId, return_to: linkReturnPage }),
  headers: z.object({ 'x-password': currentPassword }),
});

/** Accounts at other providers that the user can sign in with: docs/rules/accounts.md, "Linked accounts". */
export const linkedAccounts = {
  /** The providers that the venue offers, in the venue's order, then other linked ones. */
  list: GET('/auth/user/identities', { summary: 'List linked accounts' }).output(z.array(linkedAccount)),
  /** Returns the URL to send the browser to; it comes back to /auth/callback/{provider} and ends at return_to. */
  authorize: GET('/auth/user/identities/authorize', {
    inputStructure: 'detailed',
    summary: 'Start linking an account',
  })
    .errors(
      refusals(
        'WRONG_PASSWORD',
        'NO_PASSWORD',
        'PROVIDER_NOT_FOUND',
        'PROVIDER_UNREACHABLE',
        'ALREADY_LINKED',
        'BROWSER_NEEDED',
      ),
    )
    .input(authorizeLinkInput)
    .output(z.object({ url: z.url() })),
  /** Requires the password, so that no user removes their last way to sign in. */
  unlink: DELETE('/auth/user/identities/{id}', { summary: 'Unlink an account', spec: orInHeader })
    .errors(refusals('NOT_FOUND', 'PASSWORD_REQUIRED', 'WRONG_PASSWORD', 'NO_PASSWORD'))
    .input(z.strictObject({ id, password: z.optional(currentPassword) }))
    .output(z.object({ unlinked: z.string() })),
};
