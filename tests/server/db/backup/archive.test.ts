import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackupUnusableError, readArchive } from '../../../../src/server/db/backup/archive-reader.ts';
import { writeArchive } from '../../../../src/server/db/backup/archive-writer.ts';

const MANIFEST = { product: 'cellar-door', format: 1, version: '1.0.0', made_at: '2026-11-22T05:00:00.000Z' };
const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellar-door-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function made(): Promise<string> {
  const db = join(folder, 'db');
  mkdirSync(join(db, 'base/5'), { recursive: true });
  writeFileSync(join(db, 'PG_VERSION'), '18\n');
  writeFileSync(join(db, 'base/5/1'), CONTENT);
  const path = join(folder, 'made.tar.gz');
  await writeArchive(path, async (archive) => {
    await archive.addText('cellar-door.json', JSON.stringify(MANIFEST));
    await archive.addFolder('data/db', db);
    await archive.addFile('data/db/gone', join(db, 'gone'));
  });
  return path;
}

async function read(path: string): Promise<unknown> {
  const into = mkdtempSync(join(folder, 'into-'));
  await readArchive(path, into);
  return [
    readFileSync(join(into, 'db/PG_VERSION'), 'utf8'),
    readFileSync(join(into, 'db/base/5/1')).equals(CONTENT),
  ];
}

/** A tar file with these entries, made by hand. */
function handMade(entries: [Partial<Header> & { name: string }, string?][]): Promise<string> {
  const tar = pack();
  for (const [header, text] of entries) tar.entry(header, text ?? '');
  tar.finalize();
  const path = join(folder, 'hand-made.tar.gz');
  return (async () => {
    const bytes: Buffer[] = [];
    for await (const chunk of tar as AsyncIterable<Buffer>) bytes.push(chunk);
    writeFileSync(path, gzipSync(Buffer.concat(bytes)));
    return path;
  })();
}

describe('an archive', () => {
  it('restores what it was made of, readable only by its owner', async () => {
    const path = await made();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await read(path)).toEqual(['18\n', true]);
  });

  it('is refused wherever it is cut off', async () => {
    const whole = readFileSync(await made());
    const cut = join(folder, 'cut.tar.gz');
    for (const share of [0, 0.01, 0.3, 0.6, 0.9]) {
      writeFileSync(cut, whole.subarray(0, Math.floor(whole.length * share)));
      await expect(read(cut), `${share}`).rejects.toBeInstanceOf(BackupUnusableError);
    }
    writeFileSync(cut, whole.subarray(0, -1));
    await expect(read(cut)).rejects.toThrow('is damaged or incomplete. Use another backup.');
  });

  it('is refused when a byte of it changed', async () => {
    const bytes = readFileSync(await made());
    for (const share of [0.2, 0.5, 0.8]) {
      const changed = Buffer.from(bytes);
      const at = Math.floor(bytes.length * share);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const path = join(folder, 'changed.tar.gz');
      writeFileSync(path, changed);
      await expect(read(path), `${share}`).rejects.toBeInstanceOf(BackupUnusableError);
    }
  });

  it('is refused if it is another kind of file', async () => {
    const path = join(folder, 'photo.jpg');
    writeFileSync(path, 'not an archive');
    await expect(read(path)).rejects.toThrow('is not a backup of Cellar Door');
    await expect(read(await handMade([[{ name: 'etc/passwd' }, 'x']]))).rejects.toThrow(
      'is not a backup of Cellar Door',
    );
  });

  it('of a later format is refused with the advice to install that version', async () => {
    const path = await handMade([[{ name: 'cellar-door.json' }, JSON.stringify({ ...MANIFEST, format: 2 })]]);
    await expect(read(path)).rejects.toThrow('made by a newer version of Cellar Door');
  });

  it.each([
    [{ name: 'data/../../outside' }],
    [{ name: '/etc/outside' }],
    [{ name: 'data/db/../../outside' }],
    [{ name: 'data/server.lock' }],
    [{ name: 'data/db/link', type: 'symlink' as const, linkname: '/etc/passwd' }],
  ])('writes nothing outside its folder: %j', async (header) => {
    const path = await handMade([[{ name: 'cellar-door.json' }, JSON.stringify(MANIFEST)], [header]]);
    await expect(read(path)).rejects.toBeInstanceOf(BackupUnusableError);
  });

  it('that cannot be written fails, instead of waiting forever', async () => {
    const path = await made();
    await expect(
      writeArchive(path, (archive) => archive.addText('x', 'y'.repeat(1_000_000))),
    ).rejects.toThrow('EEXIST');
    const failing = writeArchive(join(folder, 'new.tar.gz'), () => Promise.reject(new Error('no more')));
    await expect(failing).rejects.toThrow('no more');
  });
});
