import { REFERENCE_BYTES, REFERENCE_HEADER, referenceFrom } from '../../domain/monitoring/reference.ts';

/** Headers that name a request; the server's log has the same name. */
export const referenceHeaders = (): Record<string, string> => ({
  [REFERENCE_HEADER]: referenceFrom(crypto.getRandomValues(new Uint8Array(REFERENCE_BYTES))),
});
