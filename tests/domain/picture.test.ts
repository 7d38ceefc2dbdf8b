import { describe, expect, it } from 'vitest';
import { MAX_PICTURE_CHARACTERS, pictureType } from '../../src/domain/picture.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const SCAN = '\xff\xda\0\x08\x01\x01\0\x01\x3f\0x';

describe('the type of a picture follows from its first bytes', () => {
  it.each([
    ['a JPEG', '\xff\xd8\xff\xe0\0\x10JFIF', { type: 'jpeg' }],
    ['a JPEG of as many scans as programs write', `\xff\xd8\xff\xe0${SCAN.repeat(50)}`, { type: 'jpeg' }],
    ['a JPEG of more: each decodes every pixel', `\xff\xd8\xff\xe0${SCAN.repeat(51)}`, { problem: 'scans' }],
    ['a PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', { type: 'png' }],
    ['a WebP', 'RIFF\x24\0\0\0WEBPVP8 ', { type: 'webp' }],
    ['a RIFF file that is none', 'RIFF\x24\0\0\0WAVEfmt ', { problem: 'type' }],
    ['a GIF', 'GIF89a\x01\0', { problem: 'type' }],
    ['a page', '<!doctype html><script>alert(1)</script>', { problem: 'type' }],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', { problem: 'svg' }],
    ['an SVG after a comment', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x -->\n<SVG >', { problem: 'svg' }],
    ['an SVG with a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', { problem: 'svg' }],
    ['nothing', '', { problem: 'type' }],
  ])('%s', (_, start, expected) => {
    expect(pictureType(bytes(start))).toEqual(expected);
  });
});

it('an upload of the largest size fits a request of 64 KB', () => {
  expect(JSON.stringify({ content: 'A'.repeat(MAX_PICTURE_CHARACTERS), agreed: true }).length).toBeLessThan(
    64 * 1024,
  );
});
