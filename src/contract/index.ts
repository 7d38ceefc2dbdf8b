import { applications } from './applications.ts';
import { apiClients } from './auth/api-clients.ts';
import { auth, emailChange, passkeys } from './auth/auth.ts';
import { linkedAccounts } from './auth/linked-accounts.ts';
import { pushDevices } from './auth/push-devices.ts';
import { sessions } from './auth/sessions.ts';
import { tokens } from './auth/tokens.ts';
import { benefits } from './benefits.ts';
import { billing } from './billing.ts';
import { paperCards, walletPasses } from './card/card.ts';
import { functions } from './functions.ts';
import { gifts } from './gifts/gifts.ts';
import { memberEvents } from './member-events.ts';
import { members } from './members.ts';
import { photos, winePictures } from './pictures/pictures.ts';
import { pours } from './pours.ts';
import { privacy } from './privacy.ts';
import { profile } from './profile.ts';
import { guestGlasses } from './sharing/guest-glasses.ts';
import { households } from './sharing/household.ts';
import { audit } from './staff/audit.ts';
import { barDevices } from './staff/bar-devices.ts';
import { barSignUps } from './staff/bar-sign-ups.ts';
import { club } from './staff/club.ts';
import { directory } from './staff/directory.ts';
import { memberDues } from './staff/dues.ts';
import { emails } from './staff/emails.ts';
import { glasses } from './staff/glasses.ts';
import { adoptions, imports } from './staff/imports.ts';
import { mailings } from './staff/mailings.ts';
import { memberAccount, memberEmails } from './staff/member-account.ts';
import { memberRecord } from './staff/member-record.ts';
import { membersAtRisk } from './staff/members-at-risk.ts';
import { membershipEnd } from './staff/membership-end.ts';
import { refunds } from './staff/refunds.ts';
import { reports } from './staff/reports.ts';
import { setup } from './staff/setup.ts';
import { team } from './staff/team.ts';
import { tierSettings } from './staff/tier-settings.ts';
import { webhooks } from './staff/webhooks.ts';
import { staffNotices } from './staff-notices.ts';
import { system } from './system.ts';
import { tiers } from './tiers.ts';
import { ratings } from './wine/ratings.ts';
import { wines } from './wine/wines.ts';

/** Every call of the API. src/server/api/calls says who may make each. */
export const contract = {
  auth,
  tokens,
  tiers,
  tierSettings,
  benefits,
  club,
  emails,
  memberEmails,
  setup,
  applications,
  members,
  directory,
  barDevices,
  barSignUps,
  memberRecord,
  memberAccount,
  membershipEnd,
  memberDues,
  glasses,
  refunds,
  profile,
  photos,
  pours,
  households,
  guestGlasses,
  memberEvents,
  emailChange,
  sessions,
  linkedAccounts,
  apiClients,
  passkeys,
  pushDevices,
  billing,
  gifts,
  paperCards,
  walletPasses,
  functions,
  privacy,
  staffNotices,
  reports,
  outreach: membersAtRisk,
  mailings,
  team,
  audit,
  webhooks,
  imports,
  adoptions,
  system,
  wines,
  winePictures,
  ratings,
};
export type Contract = typeof contract;
