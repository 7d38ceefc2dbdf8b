import { z } from 'zod';
import { DELETE, epochSeconds, GET, id, POST } from '../base.ts';
import { backupCode, currentPassword, totpCode } from '../forms/credentials.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { done, orInHeader } from './auth-base.ts';
import { tokenSession } from './auth-user.ts';

/** Clients of Supabase Auth send these, null where their app set nothing. There is one factor, and the club is its issuer. */
const unusedName = text(200).nullish();

/** No password is needed if the app's session proved it in the last ten minutes. */
export const createFactorInput = z.object({
  factor_type: z.literal('totp').default('totp'),
  friendly_name: unusedName,
  issuer: unusedName,
  password: z.optional(currentPassword),
});
const challengeFactorInput = z.object({ id });
/** trust_device: this browser needs no code for the next 30 days. challenge_id: the id from challengeFactor. */
export const verifyFactorInput = z.object({
  id,
  code: totpCode,
  challenge_id: id.optional(),
  trust_device: z.boolean().default(false),
});
/** Neither is needed if the app's session proved a code in the last ten minutes. */
export const deleteFactorInput = z.object({
  id,
  code: z.optional(totpCode),
  password: z.optional(currentPassword),
});
export const createBackupCodesInput = z.strictObject({ password: currentPassword });
export const verifyBackupCodeInput = z.strictObject({
  code: backupCode,
  trust_device: z.boolean().default(false),
});

const factor = z.object({
  id,
  type: z.literal('totp'),
  /** Unverified until a first correct code from the app. */
  status: z.enum(['verified', 'unverified']),
});
export type Factor = z.infer<typeof factor>;

const backupCodes = z.array(z.string());
/** An app gets the tokens of its session, a browser its cookies. */
const signedIn = z.union([tokenSession, done]);

export const factorCalls = {
  /** Factors of the signed-in user, or of the user whose sign-in waits for a code. */
  listFactors: GET('/auth/factors', { summary: 'List second factors' }).output(z.array(factor)),
  /** Shown once: the secret, and the backup codes. */
  createFactor: POST('/auth/factors', { summary: 'Enroll a second factor', spec: orInHeader })
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'TWO_FACTOR_ALREADY_ENABLED', 'PASSWORD_REQUIRED'))
    .input(createFactorInput)
    .output(
      factor.extend({
        totp_uri: z.string(),
        backup_codes: backupCodes,
        /** As it was sent, empty without one; it is not stored. */
        friendly_name: z.string(),
        /** The secret for clients that draw no QR code themselves; `qr_code` is an SVG. */
        totp: z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() }),
      }),
    ),
  /** The app generates the code, so nothing is sent: the response says how long a code is accepted. */
  challengeFactor: POST('/auth/factors/{id}/challenge', { summary: 'Ask for a code' })
    .errors(refusals('NOT_FOUND'))
    .input(challengeFactorInput)
    .output(z.object({ id, type: z.literal('totp'), expires_at: epochSeconds })),
  verifyFactor: POST('/auth/factors/{id}/verify', { summary: 'Confirm a new factor, or complete a sign-in' })
    .errors(
      refusals(
        'NOT_FOUND',
        'CHALLENGE_NOT_FOUND',
        'CODE_INVALID',
        'CODE_USED',
        'TOO_MANY_CODES',
        'TWO_FACTOR_NOT_ENABLED',
      ),
    )
    .input(verifyFactorInput)
    .output(signedIn),
  deleteFactor: DELETE('/auth/factors/{id}', { summary: 'Turn a second factor off', spec: orInHeader })
    .errors(
      refusals(
        'WRONG_PASSWORD',
        'NO_PASSWORD',
        'NOT_FOUND',
        'PASSWORD_REQUIRED',
        'CODE_INVALID',
        'CODE_USED',
      ),
    )
    .input(deleteFactorInput)
    .output(done.extend({ id })),
  /** Earlier codes stop working. */
  createBackupCodes: POST('/auth/backup-codes', { summary: 'Make new backup codes' })
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'TWO_FACTOR_NOT_ENABLED'))
    .input(createBackupCodesInput)
    .output(z.object({ backup_codes: backupCodes })),
  verifyBackupCode: POST('/auth/backup-codes/verify', { summary: 'Complete a sign-in with a backup code' })
    .errors(refusals('CODE_INVALID', 'TOO_MANY_CODES', 'TWO_FACTOR_NOT_ENABLED'))
    .input(verifyBackupCodeInput)
    .output(signedIn),
};
