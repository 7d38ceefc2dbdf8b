/** 'Ada' -> 'Ada-qr-code.png', without characters that file systems refuse. */
export function codeFileName(firstName: string): string {
  const name = firstName
    .normalize('NFC')
    .replace(/[^\p{Letter}\p{Mark}\p{Number}' -]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
  return `${name || 'member'}-qr-code.png`;
}
