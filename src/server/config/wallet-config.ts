import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { ConfigurationError } from './config-error.ts';

/** Certificates and keys are PEM. */
export type WalletConfig = ReturnType<typeof readWallets>;
export type AppleWalletConfig = NonNullable<WalletConfig['apple']>;
export type GoogleWalletConfig = NonNullable<WalletConfig['google']>;

interface WalletVariables {
  APPLE_PASS_TYPE_ID?: string | undefined;
  APPLE_TEAM_ID?: string | undefined;
  APPLE_PASS_CERTIFICATE?: string | undefined;
  APPLE_PASS_KEY?: string | undefined;
  APPLE_WWDR_CERTIFICATE?: string | undefined;
  APPLE_PUSH_URL?: string | undefined;
  GOOGLE_WALLET_ISSUER_ID?: string | undefined;
  GOOGLE_WALLET_SERVICE_ACCOUNT?: string | undefined;
  GOOGLE_WALLET_API_URL?: string | undefined;
}

const APPLE_PUSH = 'https://api.push.apple.com';
const GOOGLE_API = 'https://walletobjects.googleapis.com';
const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token';

function refuse(problem: string): never {
  throw new ConfigurationError([problem]);
}

/** Reads the wallets' configuration. Throws ConfigurationError, which repeats no value. */
export function readWallets(env: WalletVariables) {
  return { apple: readApple(env), google: readGoogle(env) };
}

function readApple(env: WalletVariables) {
  const { APPLE_PASS_TYPE_ID: passTypeId, APPLE_TEAM_ID: teamId, APPLE_PASS_CERTIFICATE: certificate } = env;
  const { APPLE_PASS_KEY: key, APPLE_WWDR_CERTIFICATE: issuer } = env;
  if (!passTypeId && !teamId && !certificate && !key && !issuer) return null;
  if (!passTypeId || !teamId || !certificate || !key || !issuer) {
    return refuse(
      'APPLE_PASS_TYPE_ID, APPLE_TEAM_ID, APPLE_PASS_CERTIFICATE, APPLE_PASS_KEY and APPLE_WWDR_CERTIFICATE go together: set all five or none',
    );
  }
  const ownCertificate = readCertificate('APPLE_PASS_CERTIFICATE', certificate);
  const apples = readCertificate('APPLE_WWDR_CERTIFICATE', issuer);
  const privateKey = readKey('APPLE_PASS_KEY', key);
  if (!ownCertificate.checkPrivateKey(privateKey))
    refuse('APPLE_PASS_KEY is not the key of APPLE_PASS_CERTIFICATE');
  if (!ownCertificate.checkIssued(apples) || !ownCertificate.verify(apples.publicKey)) {
    refuse(
      'APPLE_WWDR_CERTIFICATE did not issue APPLE_PASS_CERTIFICATE; Apple offers several: take the one it names',
    );
  }
  if (!ownCertificate.subject.split('\n').includes(`UID=${passTypeId}`)) {
    refuse('APPLE_PASS_CERTIFICATE is for another pass type than APPLE_PASS_TYPE_ID');
  }
  if (!ownCertificate.subject.split('\n').includes(`OU=${teamId}`)) {
    refuse('APPLE_PASS_CERTIFICATE is for another team than APPLE_TEAM_ID: iPhones would refuse every pass');
  }
  return {
    passTypeId,
    teamId,
    certificate: ownCertificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    /** The Apple certificate that issued ours. */
    issuer: apples.toString(),
    pushUrl: env.APPLE_PUSH_URL ?? APPLE_PUSH,
  };
}

function readCertificate(name: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    return refuse(`${name} is no certificate in PEM`);
  }
}

function readKey(name: string, pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Reported below, together with keys of another kind.
  }
  return refuse(`${name} is no RSA key in PEM without a passphrase`);
}

const serviceAccount = z.object({
  client_email: z.email(),
  private_key: z.string(),
  token_uri: z.url().default(GOOGLE_TOKENS),
});

function readGoogle(env: WalletVariables) {
  const { GOOGLE_WALLET_ISSUER_ID: issuerId, GOOGLE_WALLET_SERVICE_ACCOUNT: account } = env;
  if (!issuerId && !account) return null;
  if (!issuerId || !account) {
    return refuse('GOOGLE_WALLET_ISSUER_ID and GOOGLE_WALLET_SERVICE_ACCOUNT go together: set both or none');
  }
  const result = serviceAccount.safeParse(jsonOf(account));
  if (!result.success)
    return refuse('GOOGLE_WALLET_SERVICE_ACCOUNT is not the JSON key of a service account');
  const { client_email: clientEmail, private_key, token_uri: tokenUrl } = result.data;
  const privateKey = readKey('The private_key in GOOGLE_WALLET_SERVICE_ACCOUNT', private_key);
  return {
    issuerId,
    clientEmail,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    tokenUrl,
    /** Without a trailing slash. */
    apiUrl: (env.GOOGLE_WALLET_API_URL ?? GOOGLE_API).replace(/(?<!\/)\/+$/, ''),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
