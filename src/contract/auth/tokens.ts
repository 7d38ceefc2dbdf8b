import { z } from 'zod';
import { GET, id, POST, type Spec } from '../base.ts';
import { consentVersion } from '../consent.ts';
import { currentPassword, email, newPassword } from '../forms/credentials.ts';
import { personName, phoneNumber } from '../forms/person.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { done, openPost } from './auth-base.ts';
import { authUser, tokenSession } from './auth-user.ts';
import { appExtras, SIGN_UP_REFUSALS } from './credentials.ts';

const { gotrue_meta_security } = appExtras;
const passwordGrant = z.object({ email, password: currentPassword, gotrue_meta_security });
const refreshGrant = z.object({ refresh_token: text(2000).min(1) });

export const createTokenInput = z
  .object({
    query: z.object({ grant_type: z.enum(['password', 'refresh_token']) }),
    body: z.union([passwordGrant, refreshGrant]),
  })
  .refine(({ query, body }) => 'password' in body === (query.grant_type === 'password'), {
    message: 'Send email and password with grant_type=password, refresh_token with grant_type=refresh_token.',
    path: ['body'],
  });

/** RFC 6749, 4.4. The id and the secret may come in an Authorization: Basic header instead. */
const clientCredentials = z.looseObject({
  grant_type: z.literal('client_credentials'),
  client_id: id.optional(),
  client_secret: z.string().optional(),
  /** A subset of the client's scopes, separated by spaces; without it, all of them. */
  scope: z.string().optional(),
});

const clientToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
  scope: z.string(),
});

/** Adds OAuth's form to this operation, answered by src/server/auth/api-clients/token-endpoint.ts. */
const withForm: Spec = (operation) => {
  const { requestBody, responses } = operation;
  const content = requestBody && 'content' in requestBody ? requestBody.content : {};
  const credentials = z.toJSONSchema(clientCredentials);
  const form = { 'application/x-www-form-urlencoded': { schema: credentials } };
  const media = content?.['application/json'];
  if (media) Object.assign(media, { schema: { anyOf: [media.schema, credentials] } });
  const parameters = operation.parameters?.map((it) => ({ ...it, required: false }));
  const answer = responses?.[200];
  const json = answer && 'content' in answer ? answer.content?.['application/json'] : undefined;
  if (json) Object.assign(json, { schema: { anyOf: [json.schema, z.toJSONSchema(clientToken)] } });
  return {
    ...operation,
    ...(parameters && { parameters }),
    requestBody: { required: true, content: { ...content, ...form } } as typeof requestBody,
  };
};

export const tokenSignUpInput = z.object({
  email,
  password: newPassword,
  /** Strict: what an app wants to store with its user is never dropped without a word. */
  data: z.strictObject({
    first_name: personName,
    last_name: personName,
    phone: z.nullish(phoneNumber),
    /** No other role can be requested. */
    role: z.literal('customer').optional(),
    consent_version: consentVersion,
  }),
  ...appExtras,
});

/** global: every session of the user; others: all except this session; local: only this session. */
export const signOutInput = z.object({
  query: z.object({ scope: z.enum(['global', 'local', 'others']).default('global') }),
});

/** Sessions of apps, with the URLs and shapes of `@supabase/auth-js`: docs/decisions/apps-and-clients.md. */
export const tokens = {
  create: openPost('/auth/token', {
    inputStructure: 'detailed',
    summary: 'Get tokens for a password, a refresh token, or client credentials',
    description:
      'An app of a user sends JSON, with `grant_type` in the query. An API client sends a form, or JSON, without it; its answer has no refresh token and no user, and its refusals have `error` and `error_description`, too.',
    spec: withForm,
  })
    .errors(
      refusals(
        'INVALID_CREDENTIALS',
        'EMAIL_NOT_VERIFIED',
        'SESSION_ENDED',
        'INVALID_CLIENT',
        'UNSUPPORTED_GRANT_TYPE',
        'INVALID_SCOPE',
        'UNSUPPORTED_MEDIA_TYPE',
      ),
    )
    .input(createTokenInput)
    .output(tokenSession),
  /** Returns the user without a session if the email must be confirmed first. */
  signUp: openPost('/auth/signup', { summary: 'Create an account from an app' })
    .errors(refusals(...SIGN_UP_REFUSALS))
    .input(tokenSignUpInput)
    .output(z.union([tokenSession, authUser])),
  /** Also works while a sign-in waits for a code, with id, email and factors only. */
  getUser: GET('/auth/user', { summary: 'Get the signed-in user' }).output(authUser),
  signOut: POST('/auth/logout', { inputStructure: 'detailed', summary: 'End sessions of the signed-in user' })
    .input(signOutInput)
    .output(done),
};
