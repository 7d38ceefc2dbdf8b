/** Crockford's alphabet: without I, L, O and U, which look like others or spell something. */
export const SETUP_CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 100 bits: nobody guesses it. */
export const SETUP_CODE_LENGTH = 20;

/**
 * Reads a typed code back into its original form: 'abcde-fghjk' -> 'ABCDEFGHJK', correcting letters that
 * are easily misread.
 */
export function setupCodeOf(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

/** For the eye: 'ABCDE-FGHJK-MNPQR-STVWX'. */
export const setupCodeText = (code: string): string => code.match(/.{1,5}/g)?.join('-') ?? '';
