import { createReadStream, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { z } from 'zod';

/** The first file of every backup. */
export const MANIFEST_NAME = 'cellar-door.json';
/** The archive's folder for all other files, laid out as in the data folder. */
export const CONTENT_NAME = 'data';

const MAX_MANIFEST_BYTES = 10_000;

const manifest = z.object({
  product: z.literal('cellar-door'),
  /** The archive's format; this code only reads this one. */
  format: z.literal(1),
  /** The version of Cellar Door that made it. */
  version: z.string(),
  made_at: z.iso.datetime(),
});
export type Manifest = z.infer<typeof manifest>;

/** A file that cannot be restored; the message says why, and what to do. */
export class BackupUnusableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BackupUnusableError';
  }
}

/** Allowed paths in a backup, so that no archive can write anywhere else. */
const CONTENT = /^data\/(?:secrets\.json|(?:db|sandbox)(?:\/[\w-][\w.-]*)*\/?)$/;

/** Unpacks a backup into an empty folder, readable only by its owner. Throws BackupUnusableError. */
export async function readArchive(path: string, folder: string): Promise<Manifest> {
  const unpack = extract();
  const reading = pipeline(createReadStream(path), createGunzip(), unpack);
  // Reported by the code that reads the entries.
  reading.catch(() => undefined);
  let manifest: Manifest | null = null;
  try {
    for await (const entry of unpack) {
      const { name, type } = entry.header;
      const bytes = entry as AsyncIterable<Buffer>;
      if (!manifest) manifest = await readManifest(path, name, bytes);
      else if (!CONTENT.test(name))
        throw new BackupUnusableError(`${path} is not a backup: it contains ${name}.`);
      else await unpackEntry(bytes, type, join(folder, name.slice(CONTENT_NAME.length + 1)));
    }
    await reading;
  } catch (error) {
    if (error instanceof BackupUnusableError) throw error;
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    if (!manifest) throw notABackup(path, error);
    throw new BackupUnusableError(`${path} is damaged or incomplete. Use another backup.`, error);
  }
  if (!manifest) throw notABackup(path);
  return manifest;
}

const notABackup = (path: string, cause?: unknown) =>
  new BackupUnusableError(`${path} is not a backup of Cellar Door, or its beginning is damaged.`, cause);

async function readManifest(path: string, name: string, entry: AsyncIterable<Buffer>): Promise<Manifest> {
  if (name !== MANIFEST_NAME) throw notABackup(path);
  let text = '';
  for await (const chunk of entry) {
    text += chunk;
    if (text.length > MAX_MANIFEST_BYTES) throw notABackup(path);
  }
  const json: unknown = JSON.parse(text);
  const { format } = z.object({ format: z.number() }).parse(json);
  if (format > 1) {
    throw new BackupUnusableError(
      `${path} was made by a newer version of Cellar Door, in a form that this one cannot read. Install that version.`,
    );
  }
  return manifest.parse(json);
}

async function unpackEntry(entry: AsyncIterable<Buffer>, type: Header['type'], to: string): Promise<void> {
  if (type === 'directory') {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    for await (const _ of entry) throw new Error('a folder with content');
    return;
  }
  if (type !== 'file') throw new Error('neither a file nor a folder');
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  await writeFile(to, entry, { mode: 0o600, flag: 'wx' });
}
