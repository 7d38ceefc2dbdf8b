/** Crockford's alphabet: no I, L, O or U, which look like other characters or spell something. */
export const SETUP_CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 100 bits, beyond guessing. */
export const SETUP_CODE_LENGTH = 20;

/** The code as it was made: 'abcde-fghjk' -> 'ABCDEFGHJK', with characters corrected that are easily misread. */
export function setupCodeOf(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

/** The code in groups for reading: 'ABCDE-FGHJK-MNPQR-STVWX'. */
export const setupCodeText = (code: string): string => code.match(/.{1,5}/g)?.join('-') ?? '';
