import * as tokenCalls from '../auth/app-sessions/token-calls.ts';
import * as emailChange from '../auth/email-change/email-change.ts';
import * as passkeySignIn from '../auth/passkeys/sign-in.ts';
import { changePassword } from '../auth/password/change-password.ts';
import * as auth from '../auth/procedures.ts';
import * as factors from '../auth/two-factor/factors.ts';
import { allow, clearEndedSession, everyone, os, verb } from './authorize.ts';

/** The part of router.ts before and around signing in: accounts, second factors and tokens. */
export const signInCalls = {
  auth: {
    signUp: os.auth.signUp.use(everyone).handler(verb(auth.signUp)),
    signIn: os.auth.signIn.use(everyone).handler(verb(auth.signIn)),
    signInWithProvider: os.auth.signInWithProvider.use(everyone).handler(verb(auth.signInWithProvider)),
    signInWithPasskeyOptions: os.auth.signInWithPasskeyOptions
      .use(everyone)
      .handler(verb(passkeySignIn.signInWithPasskeyOptions)),
    signInWithPasskey: os.auth.signInWithPasskey.use(everyone).handler(verb(passkeySignIn.signInWithPasskey)),
    signOut: os.auth.signOut.use(everyone).handler(verb(auth.signOut)),
    recover: os.auth.recover.use(everyone).handler(verb(auth.recover)),
    resetPassword: os.auth.resetPassword.use(everyone).handler(verb(auth.resetPassword)),
    changePassword: os.auth.changePassword.use(allow.accountPassword).handler(verb(changePassword)),
    verifyEmail: os.auth.verifyEmail.use(everyone).handler(verb(auth.verifyEmail)),
    resendVerification: os.auth.resendVerification.use(everyone).handler(verb(auth.resendVerification)),
    confirmEmailChange: os.auth.confirmEmailChange
      .use(everyone)
      .handler(verb(emailChange.confirmEmailChange)),
    listFactors: os.auth.listFactors.use(everyone).handler(verb(factors.listFactors)),
    createFactor: os.auth.createFactor.use(allow.accountPassword).handler(verb(factors.createFactor)),
    challengeFactor: os.auth.challengeFactor.use(everyone).handler(verb(factors.challengeFactor)),
    verifyFactor: os.auth.verifyFactor.use(everyone).handler(verb(factors.verifyFactor)),
    deleteFactor: os.auth.deleteFactor.use(allow.accountPassword).handler(verb(factors.deleteFactor)),
    createBackupCodes: os.auth.createBackupCodes
      .use(allow.accountPassword)
      .handler(verb(factors.createBackupCodes)),
    verifyBackupCode: os.auth.verifyBackupCode.use(everyone).handler(verb(factors.verifyBackupCode)),
    createPasskeyOptions: os.auth.createPasskeyOptions
      .use(allow.accountPassword)
      .handler(verb(passkeySignIn.createPasskeyOptions)),
    createPasskey: os.auth.createPasskey
      .use(allow.accountPassword)
      .handler(verb(passkeySignIn.createPasskey)),
    signingKeys: os.auth.signingKeys.use(everyone).handler(verb(auth.listSigningKeys)),
    wellKnownSigningKeys: os.auth.wellKnownSigningKeys.use(everyone).handler(verb(auth.listSigningKeys)),
  },
  tokens: {
    create: os.tokens.create.use(everyone).handler(verb(tokenCalls.createToken)),
    signUp: os.tokens.signUp.use(everyone).handler(verb(tokenCalls.signUpForTokens)),
    getUser: os.tokens.getUser.use(everyone).handler(verb(tokenCalls.getUser)),
    signOut: os.tokens.signOut
      .use(clearEndedSession)
      .use(allow.account)
      .handler(verb(tokenCalls.signOutByScope)),
  },
};
