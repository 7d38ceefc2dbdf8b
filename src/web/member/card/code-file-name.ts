/** 'Ada-qr-code.png'; what file systems do not take is left out. */
export function codeFileName(firstName: string): string {
  const name = firstName
    .normalize('NFC')
    .replace(/[^\p{Letter}\p{Mark}\p{Number}' -]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
  return `${name || 'member'}-qr-code.png`;
}
