import type { AnyContractProcedure } from '@orpc/contract';
import { giftForm } from '../gifts/gifts.ts';
import { contract } from '../index.ts';
import { pourDraft, voidReason } from '../pours.ts';
import { newPersonInput } from '../staff/bar-sign-ups.ts';
import { webhookDraft } from '../staff/webhooks.ts';
import { wineDraft } from '../wine/wines.ts';
import { formRules } from './form-rules.ts';

type InputOf<Call extends AnyContractProcedure> = NonNullable<Call['~orpc']['inputSchema']>;

function inputOf<Call extends AnyContractProcedure>(call: Call): InputOf<Call> {
  const schema = call['~orpc'].inputSchema;
  if (!schema) throw new Error('This call takes no input');
  return schema as InputOf<Call>;
}

const { apiClients, applications, auth, barDevices, emailChange, gifts, glasses, households } = contract;
const { memberAccount, memberRecord, outreach, passkeys, privacy, profile, refunds, setup, team } = contract;

/** The wine is chosen from tiles, and offered water is confirmed with a tap. */
const typedPour = pourDraft.omit({ wine_id: true, offered_water: true });

/** Every form of the web app: the call's input, and the fields that users fill in. */
export const forms = {
  signIn: formRules(inputOf(auth.signIn), ['email', 'password']),
  signUp: formRules(inputOf(auth.signUp), ['first_name', 'last_name', 'email', 'phone', 'password']),
  recover: formRules(inputOf(auth.recover), ['email']),
  resetPassword: formRules(inputOf(auth.resetPassword), ['password']),
  changePassword: formRules(inputOf(auth.changePassword), ['current_password', 'password']),
  changeEmail: formRules(inputOf(emailChange.create), ['email', 'password']),
  resendVerification: formRules(inputOf(auth.resendVerification), ['email']),
  verifyFactor: formRules(inputOf(auth.verifyFactor), ['code']),
  verifyBackupCode: formRules(inputOf(auth.verifyBackupCode), ['code']),
  /** The password again, before a change to how the account is protected. */
  confirmPassword: formRules(inputOf(auth.createPasskeyOptions), ['password']),
  updateProfile: formRules(inputOf(profile.update), ['first_name', 'last_name', 'phone']),
  deleteAccount: formRules(inputOf(privacy.deleteAccount), ['password', 'confirmation']),
  deleteMemberAccount: formRules(inputOf(privacy.deleteMemberAccount), ['password', 'confirmation']),
  renamePasskey: formRules(inputOf(passkeys.rename), ['name']),
  createApiClient: formRules(inputOf(apiClients.create), ['name', 'password']),
  approveApplication: formRules(inputOf(applications.approve), ['toast_reference_number']),
  signUpAtBar: formRules(newPersonInput, ['first_name', 'last_name', 'email']),
  editMember: formRules(inputOf(memberAccount.update), ['first_name', 'last_name', 'phone']),
  changeMemberEmail: formRules(inputOf(memberAccount.changeEmail), ['email']),
  rejectApplication: formRules(inputOf(applications.reject), ['notes']),
  addNote: formRules(inputOf(memberRecord.addNote), ['body']),
  addTag: formRules(inputOf(memberRecord.addTag), ['label']),
  updateAbout: formRules(inputOf(memberRecord.updateAbout), ['allergies']),
  giveGlasses: formRules(inputOf(glasses.give), ['reason']),
  // The amount is typed as an amount of money, and read by the form itself.
  refund: formRules(inputOf(refunds.create), ['reason']),
  sendPersonalEmail: formRules(inputOf(outreach.sendEmail), ['subject', 'text']),
  inviteToHousehold: formRules(inputOf(households.invite), ['email']),
  recordPour: formRules(typedPour, Object.keys(typedPour.shape) as (keyof typeof typedPour.shape)[]),
  inviteToTeam: formRules(inputOf(team.invite), ['email', 'password']),
  acceptInvitation: formRules(inputOf(team.acceptInvitation), [
    'first_name',
    'last_name',
    'password',
    'own_password',
  ]),
  setUpClub: formRules(inputOf(setup.create), ['club_name', 'first_name', 'last_name', 'email', 'password']),
  openTablet: formRules(inputOf(barDevices.open), ['name', 'password']),
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
