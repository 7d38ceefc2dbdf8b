import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auth } from '../../../src/contract/auth/auth.ts';
import type { FieldRule } from '../../../src/contract/forms/field-rule.ts';
import { formRules } from '../../../src/contract/forms/form-rules.ts';
import { forms } from '../../../src/contract/forms/forms.ts';
import { contract } from '../../../src/contract/index.ts';
import { voidReason } from '../../../src/contract/pours.ts';
import { newPersonInput } from '../../../src/contract/staff/bar-sign-ups.ts';
import { webhookDraft } from '../../../src/contract/staff/webhooks.ts';
import { text } from '../../../src/contract/text.ts';
import { fieldLimits, readField } from '../../../src/web/ui/read-field.ts';

const { apiClients, applications, barDevices, emailChange, passkeys, pours, privacy, profile, team, wines } =
  contract;

const calls = {
  signIn: auth.signIn,
  signUp: auth.signUp,
  recover: auth.recover,
  resetPassword: auth.resetPassword,
  changePassword: auth.changePassword,
  changeEmail: emailChange.create,
  resendVerification: auth.resendVerification,
  verifyFactor: auth.verifyFactor,
  verifyBackupCode: auth.verifyBackupCode,
  confirmPassword: auth.createPasskeyOptions,
  updateProfile: profile.update,
  deleteAccount: privacy.deleteAccount,
  renamePasskey: passkeys.rename,
  createApiClient: apiClients.create,
  approveApplication: applications.approve,
  signUpAtBar: { '~orpc': { inputSchema: newPersonInput } },
  editMember: contract.memberAccount.update,
  changeMemberEmail: contract.memberAccount.changeEmail,
  rejectApplication: applications.reject,
  addNote: contract.memberRecord.addNote,
  addTag: contract.memberRecord.addTag,
  updateAbout: contract.memberRecord.updateAbout,
  giveGlasses: contract.glasses.give,
  refund: contract.refunds.create,
  sendPersonalEmail: contract.outreach.sendEmail,
  inviteToHousehold: contract.households.invite,
  deleteMemberAccount: contract.privacy.deleteMemberAccount,
  recordPour: pours.record,
  inviteToTeam: team.invite,
  acceptInvitation: team.acceptInvitation,
  setUpClub: contract.setup.create,
  saveWine: wines.create,
  openTablet: barDevices.open,
  setPin: barDevices.setPin,
  addWebhook: { '~orpc': { inputSchema: webhookDraft } },
  buyGift: contract.gifts.buy,
  resendGift: contract.gifts.resend,
  voidPour: { '~orpc': { inputSchema: voidReason } },
} satisfies Record<keyof typeof forms, unknown>;

type FieldSchema = z.core.$ZodType;

/** Every field of every form, with the server's schema for it. */
const fields = Object.entries(forms).flatMap(([form, { fields }]) => {
  const schema = calls[form as keyof typeof calls]['~orpc'].inputSchema as z.ZodObject;
  return Object.entries(fields as Record<string, FieldRule>).map(
    ([name, rule]) => [`${form}.${name}`, rule, schema.shape[name] as FieldSchema] as const,
  );
});

/** What people, programs and mistakes put into a field. */
const typed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 130 }),
  fc.nat({ max: 2100 }).map((length) => 'x'.repeat(length)),
  fc.stringMatching(/^ *[a-z.+]{1,12}@[a-z]{1,8}\.[a-z]{1,4} *$/),
  fc.stringMatching(/^ *\d{3} ?\d{3} *$/),
  fc
    .oneof(fc.integer(), fc.integer({ min: -2, max: 120 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }))
    .map(String),
  fc.constantFrom('', ' ', '\0', '\n', 'DELETE', 'delete', 'bar', 'tasting_room', 'Zoë', '🍷'.repeat(41)),
);

function messageOf(schema: FieldSchema, value: unknown): string | undefined {
  return z.safeParse(schema, value).error?.issues[0]?.message;
}

test.each(fields)('%s: the form answers as the server does', (_, rule, schema) => {
  fc.assert(
    fc.property(typed, (entered) => {
      const reading = readField(rule, entered);
      const asTyped = rule.type === 'text' ? entered : entered.trim() === '' ? undefined : Number(entered);
      if ('error' in reading) {
        expect(messageOf(schema, asTyped)).toBe(reading.error);
        return;
      }
      const parsed = z.safeParse(schema, reading.value);
      expect(parsed.success).toBe(true);
      expect(parsed.data).toEqual(reading.value);
    }),
    { numRuns: 300 },
  );
});

test('an optional field left empty is left out, whatever its pattern', () => {
  const { fields } = formRules(
    z.object({
      email: z.email('Enter an email.').optional(),
      words: text(9).trim().regex(/^a/, 'Begin with a.').optional(),
      name: text(9).trim().min(1, 'Required').optional(),
    }),
    ['email', 'words', 'name'],
  );
  expect(readField(fields.email, '')).toEqual({ value: undefined });
  expect(readField(fields.words, '   ')).toEqual({ value: undefined });
  expect(readField(fields.name, '   ')).toEqual({ error: 'Required' });
  expect(readField(fields.email, 'no')).toEqual({ error: 'Enter an email.' });
  expect(fieldLimits(fields.email)).toEqual({ required: false, optional: true, maxLength: undefined });
});

describe('limits of an input', () => {
  const limits = (form: { fields: Record<string, FieldRule> }, name: string) =>
    fieldLimits(form.fields[name]);

  test('a text that may not be empty is required, and has the maximum length of its schema', () => {
    expect(limits(forms.updateProfile, 'first_name')).toEqual({
      required: true,
      optional: false,
      maxLength: 80,
    });
    expect(limits(forms.signUp, 'first_name')).toEqual(limits(forms.updateProfile, 'first_name'));
    expect(limits(forms.recordPour, 'location')).toMatchObject({ required: true });
  });
  test('what may be empty is optional', () => {
    expect(limits(forms.updateProfile, 'phone')).toEqual({ required: false, optional: true, maxLength: 40 });
  });
});

test.each([
  ['a refinement', z.string().refine((it) => it !== 'x')],
  ['an unknown change', z.string().transform((it) => it.split(''))],
  ['a list', z.array(z.string())],
])('%s cannot become a form rule: the build fails', (_, field) => {
  expect(() => formRules(z.object({ field }), ['field'])).toThrow(/form/);
});

test('changes and checks keep the order of the schema', () => {
  const { fields } = formRules(z.object({ code: text(9).trim().min(1, 'Required') }), ['code']);
  expect(readField(fields.code, '   ')).toEqual({ error: 'Required' });
  expect(readField(fields.code, ' a1 ')).toEqual({ value: 'a1' });
  expect(readField(fields.code, ' '.repeat(10))).toEqual({
    error: 'String must contain at most 9 character(s)',
  });
});
