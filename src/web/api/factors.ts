import { ApiError } from './api-error.ts';
import { auth } from './auth-client.ts';

/** The id of the single factor of the signed-in user, or of the user whose sign-in waits for a code. */
async function factorId(): Promise<string> {
  const [factor] = await auth.listFactors();
  if (!factor) throw new ApiError(404, { code: 'NOT_FOUND' });
  return factor.id;
}

export async function verifyCode(input: { code: string; trust_device: boolean }): Promise<void> {
  await auth.verifyFactor({ id: await factorId(), ...input });
}

export async function turnOffTwoFactor(password: string): Promise<void> {
  await auth.deleteFactor({ id: await factorId(), password });
}
