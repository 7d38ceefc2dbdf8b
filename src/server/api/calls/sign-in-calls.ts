import {
  createToken,
  getUser,
  signOutByScope,
  signUpForTokens,
} from '../../auth/app-sessions/token-calls.ts';
import * as emailChange from '../../auth/email-change.ts';
import { join } from '../../auth/join.ts';
import {
  createPasskey,
  createPasskeyOptions,
  signInWithPasskey,
  signInWithPasskeyOptions,
} from '../../auth/passkeys/sign-in.ts';
import { changePassword } from '../../auth/password/change-password.ts';
import { choosePassword } from '../../auth/password/choose-password.ts';
import * as auth from '../../auth/procedures.ts';
import { signUp } from '../../auth/sign-up.ts';
import * as factors from '../../auth/two-factor/factors.ts';
import type { Calls } from '../call.ts';

export const signInCalls = {
  'auth.signUp': { policy: 'everyone', limit: 'visitor', verb: signUp },
  'auth.join': { policy: 'everyone', limit: 'visitor', verb: join },
  'auth.signIn': { policy: 'everyone', limit: 'visitor', verb: auth.signIn },
  'auth.signInWithProvider': { policy: 'everyone', limit: 'visitor', verb: auth.signInWithProvider },
  'auth.signInWithPasskeyOptions': { policy: 'everyone', limit: 'visitor', verb: signInWithPasskeyOptions },
  'auth.signInWithPasskey': { policy: 'everyone', limit: 'visitor', verb: signInWithPasskey },
  'auth.signOut': { policy: 'everyone', limit: 'visitor', verb: auth.signOut },
  'auth.recover': { policy: 'everyone', limit: 'visitor', verb: auth.recover },
  'auth.resetPassword': { policy: 'everyone', limit: 'visitor', verb: auth.resetPassword },
  'auth.changePassword': { policy: 'accountPassword', limit: 'account', verb: changePassword },
  'auth.choosePassword': { policy: 'credentials', limit: 'account', verb: choosePassword },
  'auth.verifyEmail': { policy: 'everyone', limit: 'visitor', verb: auth.verifyEmail },
  'auth.resendVerification': { policy: 'everyone', limit: 'visitor', verb: auth.resendVerification },
  'auth.confirmEmailChange': { policy: 'everyone', limit: 'visitor', verb: emailChange.confirmEmailChange },
  'auth.listFactors': { policy: 'signingIn', limit: 'visitor', verb: factors.listFactors },
  'auth.createFactor': { policy: 'accountPassword', limit: 'account', verb: factors.createFactor },
  'auth.challengeFactor': { policy: 'signingIn', limit: 'visitor', verb: factors.challengeFactor },
  'auth.verifyFactor': { policy: 'signingIn', limit: 'visitor', verb: factors.verifyFactor },
  'auth.deleteFactor': { policy: 'accountPassword', limit: 'account', verb: factors.deleteFactor },
  'auth.createBackupCodes': { policy: 'accountPassword', limit: 'account', verb: factors.createBackupCodes },
  'auth.verifyBackupCode': { policy: 'signingIn', limit: 'visitor', verb: factors.verifyBackupCode },
  'auth.createPasskeyOptions': { policy: 'accountPassword', limit: 'account', verb: createPasskeyOptions },
  'auth.createPasskey': { policy: 'accountPassword', limit: 'account', verb: createPasskey },
  'auth.signingKeys': { policy: 'everyone', limit: 'visitor', verb: auth.listSigningKeys },
  'auth.wellKnownSigningKeys': { policy: 'everyone', limit: 'visitor', verb: auth.listSigningKeys },

  'tokens.create': { policy: 'everyone', limit: 'visitor', verb: createToken },
  'tokens.signUp': { policy: 'everyone', limit: 'visitor', verb: signUpForTokens },
  'tokens.getUser': { policy: 'signingIn', limit: 'visitor', verb: getUser },
  'tokens.signOut': { policy: 'account', limit: 'account', endsSession: true, verb: signOutByScope },
} satisfies Partial<Calls>;
