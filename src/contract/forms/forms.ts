import type { AnyContractProcedure } from '@orpc/contract';
import {
  changePasswordInput,
  createPasskeyOptionsInput,
  recoverInput,
  resendVerificationInput,
  resetPasswordInput,
  signInInput,
  signUpInput,
} from '../auth/auth.ts';
import { createEmailChangeInput } from '../auth/email-change.ts';
import { verifyBackupCodeInput, verifyFactorInput } from '../auth/factors.ts';
import { giftForm } from '../gifts/gifts.ts';
import { contract } from '../index.ts';
import { pourDraft, voidReason } from '../pours.ts';
import { householdInvite } from '../sharing/household.ts';
import { openDeviceInput } from '../staff/bar-devices.ts';
import { newPersonInput } from '../staff/bar-sign-ups.ts';
import { memberEmail, memberNames } from '../staff/member-account.ts';
import { setUpClubInput } from '../staff/setup.ts';
import { acceptInvitationInput, inviteInput } from '../staff/team.ts';
import { webhookDraft } from '../staff/webhooks.ts';
import { wineDraft } from '../wine/wines.ts';
import { formRules } from './form-rules.ts';

type InputOf<Call extends AnyContractProcedure> = NonNullable<Call['~orpc']['inputSchema']>;

function inputOf<Call extends AnyContractProcedure>(call: Call): InputOf<Call> {
  const schema = call['~orpc'].inputSchema;
  if (!schema) throw new Error('This call takes no input');
  return schema as InputOf<Call>;
}

const { apiClients, applications, barDevices, gifts, glasses, memberRecord, outreach, passkeys, privacy } =
  contract;
const { profile, refunds } = contract;

/** The wine is chosen from tiles, and offered water is confirmed with a tap. */
const typedPour = pourDraft.omit({ wine_id: true, offered_water: true });

/** Every form of the web app: the call's input, and the fields that users fill in. */
export const forms = {
  signIn: formRules(signInInput, ['email', 'password']),
  signUp: formRules(signUpInput, ['first_name', 'last_name', 'email', 'phone', 'password']),
  recover: formRules(recoverInput, ['email']),
  resetPassword: formRules(resetPasswordInput, ['password']),
  changePassword: formRules(changePasswordInput, ['current_password', 'password']),
  changeEmail: formRules(createEmailChangeInput, ['email', 'password']),
  resendVerification: formRules(resendVerificationInput, ['email']),
  verifyFactor: formRules(verifyFactorInput, ['code']),
  verifyBackupCode: formRules(verifyBackupCodeInput, ['code']),
  /** The password again, before a change to how the account is protected. */
  confirmPassword: formRules(createPasskeyOptionsInput, ['password']),
  updateProfile: formRules(inputOf(profile.update), ['first_name', 'last_name', 'phone']),
  deleteAccount: formRules(inputOf(privacy.deleteAccount), ['password', 'confirmation']),
  renamePasskey: formRules(inputOf(passkeys.rename), ['name']),
  createApiClient: formRules(inputOf(apiClients.create), ['name', 'password']),
  approveApplication: formRules(inputOf(applications.approve), ['toast_reference_number']),
  signUpAtBar: formRules(newPersonInput, ['first_name', 'last_name', 'email']),
  editMember: formRules(memberNames, ['first_name', 'last_name', 'phone']),
  changeMemberEmail: formRules(memberEmail, ['email']),
  rejectApplication: formRules(inputOf(applications.reject), ['notes']),
  addNote: formRules(inputOf(memberRecord.addNote), ['body']),
  addTag: formRules(inputOf(memberRecord.addTag), ['label']),
  updateAbout: formRules(inputOf(memberRecord.updateAbout), ['allergies']),
  giveGlasses: formRules(inputOf(glasses.give), ['reason']),
  // The amount is typed as an amount of money, and read by the form itself.
  refund: formRules(inputOf(refunds.create), ['reason']),
  sendLetter: formRules(inputOf(outreach.sendLetter), ['subject', 'text']),
  inviteToHousehold: formRules(householdInvite, ['email']),
  recordPour: formRules(typedPour, Object.keys(typedPour.shape) as (keyof typeof typedPour.shape)[]),
  inviteToTeam: formRules(inviteInput, ['email', 'password']),
  acceptInvitation: formRules(acceptInvitationInput, ['first_name', 'last_name', 'password']),
  setUpClub: formRules(setUpClubInput, ['club_name', 'first_name', 'last_name', 'email', 'password']),
  openTablet: formRules(openDeviceInput, ['name', 'password']),
  setPin: formRules(inputOf(barDevices.setPin), ['pin', 'password']),
  addWebhook: formRules(webhookDraft, ['url', 'description']),
  buyGift: formRules(giftForm, ['from_name', 'to_name', 'message', 'recipient_email', 'send_on']),
  resendGift: formRules(inputOf(gifts.resend), ['recipient_email', 'send_on']),
  voidPour: formRules(voidReason, ['reason']),
  // The cost is typed as an amount of money, which the form itself reads.
  saveWine: formRules(wineDraft.omit({ cost_cents: true }), [
    ...(['name', 'producer', 'region', 'country', 'grape', 'vintage', 'color', 'notes'] as const),
    ...(['sweetness', 'body', 'tannin', 'acidity', 'glasses_per_bottle'] as const),
  ]),
};
