import { accountKey } from '../auth/sign-in-limits.ts';
import { inArray, like, or, sql } from '../db/orm.ts';
import {
  accounts,
  api_clients,
  known_devices,
  passkeys,
  rate_limits,
  refresh_tokens,
  sessions,
  two_factors,
  used_totp_codes,
  verifications,
} from '../db/schema.ts';
import { byUser, type PersonalDataTable, SECRET } from './personal-data-table.ts';

export const SIGN_IN_DATA: PersonalDataTable[] = [
  {
    table: sessions,
    about: 'Where you are signed in',
    of: byUser(sessions.userId),
    hidden: { token: SECRET },
    kept: 'nothing',
  },
  {
    table: refresh_tokens,
    about: 'Which of these are apps',
    of: ({ user_id }) =>
      inArray(refresh_tokens.session_id, sql`(select id from sessions where user_id = ${user_id}::uuid)`),
    hidden: { token_hash: SECRET },
    kept: 'nothing',
  },
  {
    table: known_devices,
    about: 'Browsers you signed in with in the last months',
    of: byUser(known_devices.user_id),
    hidden: { device_hash: SECRET },
    kept: 'nothing',
  },
  {
    table: accounts,
    about: 'How you sign in',
    of: byUser(accounts.userId),
    hidden: { password: SECRET, access_token: SECRET, refresh_token: SECRET, id_token: SECRET },
    kept: 'nothing',
  },
  {
    table: api_clients,
    about: 'API clients that can act for you',
    of: byUser(api_clients.user_id),
    hidden: { secret_hash: SECRET },
    kept: 'nothing',
  },
  {
    table: two_factors,
    about: 'Your two-step sign-in',
    of: byUser(two_factors.userId),
    hidden: { secret: SECRET, backup_codes: SECRET },
    kept: 'nothing',
  },
  {
    table: passkeys,
    about: 'Your passkeys',
    of: byUser(passkeys.userId),
    hidden: { credential_id: SECRET, public_key: SECRET },
    kept: 'nothing',
  },
  {
    table: used_totp_codes,
    about: 'Authenticator codes used in the last minutes',
    of: byUser(used_totp_codes.user_id),
    hidden: SECRET,
    kept: 'nothing',
  },
  {
    table: verifications,
    about: 'Links we sent you that are still valid, and devices you trust',
    of: ({ user_id, email }) =>
      or(like(verifications.value, `%${user_id}%`), sql`position(${email} in ${verifications.value}) > 0`),
    hidden: SECRET,
    kept: 'nothing',
  },
  {
    table: rate_limits,
    about: 'Request counts for rate limits, kept for a day or two',
    of: ({ user_id, email }) =>
      or(
        like(rate_limits.key, `%${user_id}%`),
        sql`split_part(${rate_limits.key}, '|', 2) = ${accountKey(email)}`,
      ),
    hidden: 'found only by a hash, and hold only a number',
    kept: 'nothing',
  },
];
