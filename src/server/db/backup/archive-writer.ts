import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Header, type Pack, pack } from 'tar-stream';
import { syncPath } from '../embedded/disk.ts';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const CHUNK_BYTES = 256 * 1024;

/** Adds to an open archive; names are paths inside it. */
export interface ArchiveWriter {
  addText(name: string, text: string): Promise<void>;
  /** Leaves out a file that no longer exists. */
  addFile(name: string, path: string): Promise<void>;
  /** Adds a folder with its contents, except what `skip` matches; `skip` gets paths inside the folder. */
  addFolder(name: string, path: string, skip?: (inside: string) => boolean): Promise<void>;
}

/**
 * Writes a compressed tar file, readable only by its owner, and syncs it to disk. Throws if the file exists, and what
 * `fill` throws, leaving an incomplete file. Returns the size in bytes.
 */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  const tar = pack();
  const writing = pipeline(tar, createGzip(), createWriteStream(path, { flags: 'wx', mode: OWNER_ONLY }));
  const filling = fill(writerOf(tar)).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  await Promise.all([writing, filling]);
  syncPath(path);
  return (await stat(path)).size;
}

function writerOf(tar: Pack): ArchiveWriter {
  const addFile = async (name: string, path: string) => {
    const file = await openIfThere(path);
    if (!file) return;
    try {
      const { size, mtime } = await file.stat();
      await addEntry(tar, { name, size, mtime, mode: OWNER_ONLY }, bytesOf(file, size));
    } finally {
      await file.close();
    }
  };
  const addFolder = async (
    name: string,
    path: string,
    skip: (inside: string) => boolean = () => false,
    prefix = '',
  ) => {
    tar.entry({ name: `${name}/`, type: 'directory', mode: OWNER_ONLY_FOLDER });
    for (const item of await readdir(path, { withFileTypes: true })) {
      const relativePath = prefix ? `${prefix}/${item.name}` : item.name;
      if (skip(relativePath)) continue;
      if (item.isDirectory())
        await addFolder(`${name}/${item.name}`, join(path, item.name), skip, relativePath);
      else if (item.isFile()) await addFile(`${name}/${item.name}`, join(path, item.name));
    }
  };
  return {
    addFile,
    addFolder,
    addText: (name, text) => {
      const bytes = Buffer.from(text);
      return addEntry(tar, { name, size: bytes.length, mode: OWNER_ONLY }, [bytes]);
    },
  };
}

/** Rejects if the archive was aborted meanwhile, for example because the disk is full. */
async function addEntry(
  tar: Pack,
  header: Partial<Header> & { name: string },
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> {
  const entry = tar.entry(header);
  const closing = new Promise<void>((resolve) => entry.once('close', resolve));
  let failure: unknown = null;
  entry.once('error', (error: unknown) => {
    failure = error;
  });
  for await (const chunk of content) {
    if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), closing]);
    if (tar.destroying) break;
  }
  entry.end(null);
  await closing;
  if (failure) throw failure;
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Exactly `size` bytes of a file that may be changing: additions are left out, truncated parts are filled with zeros. The
 * write-ahead log added afterwards repairs both.
 */
async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    yield bytesRead > 0 ? buffer.subarray(0, bytesRead) : buffer;
    at += bytesRead > 0 ? bytesRead : buffer.length;
  }
}
