/** Saves a file to the device's downloads. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // Safari reads the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
