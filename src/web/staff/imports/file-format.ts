/** The encodings to choose from, by the names that TextDecoder knows. */
export const ENCODINGS = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
  'windows-1252': 'Western European (Windows)',
  macintosh: 'Western European (Mac)',
  'windows-1250': 'Central European (Windows)',
  'windows-1251': 'Cyrillic (Windows)',
  'windows-1253': 'Greek (Windows)',
  'windows-1254': 'Turkish (Windows)',
  'windows-1255': 'Hebrew (Windows)',
  'windows-1256': 'Arabic (Windows)',
  'windows-1257': 'Baltic (Windows)',
  shift_jis: 'Japanese (Shift JIS)',
  gb18030: 'Chinese, simplified (GB18030)',
  big5: 'Chinese, traditional (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
} as const;
export type Encoding = keyof typeof ENCODINGS;

export const SEPARATORS = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' } as const;
export type Separator = keyof typeof SEPARATORS;

/** How a text file is read. */
export interface FileFormat {
  encoding: Encoding;
  separator: Separator;
}

/** Byte order marks, which give a file's encoding. */
const MARKS: [bytes: number[], encoding: Encoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** First bytes of what is no text: zipped and older workbooks, PDF, compressed files. */
const OTHER_FILES = ['PK\x03\x04', '\xD0\xCF\x11\xE0', '\t\b\x10\0', '%PDF', '{\\rtf', '\x1F\x8B'];
/** Tables of a web page or of XML, which some programs call .xls. */
const MARKUP = /^\s*<(?:!doctype|html|head|meta|table|\?xml)/i;

/** Whether the bytes are a workbook or another document, whatever the file's name. */
export function isDocument(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 100)).replace(/^\xEF\xBB\xBF/, '');
  return OTHER_FILES.some((it) => start.startsWith(it)) || MARKUP.test(start);
}

/**
 * Letters that a wrong encoding leaves behind: a capital, a sign or an opening quotation mark after a small letter, a sign
 * before one.
 */
const STRANGE =
  /[^\p{ASCII}\p{Ll}\p{Zs}\p{No}\u2013\u2014\u2019\u201D\u2026\u00AD\u00BB](?<=[a-z].)|[^\p{ASCII}\p{L}\p{P}\p{Z}\p{N}](?=[a-z])/gu;
/** Enough of a large file to guess by. */
const GUESSED_BYTES = 500_000;
/** What a file that is not valid UTF-8 may be, the most usual first; UTF-8 with a few damaged letters is the last. */
const LIKELY: Encoding[] = ['windows-1252', 'macintosh', 'windows-1250', 'utf-8'];

/** The encoding by the file's mark, by its NUL bytes, as UTF-8 if it is valid, otherwise the one that leaves least behind. */
export function guessEncoding(bytes: Uint8Array): Encoding {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return marked[1];
  const start = bytes.subarray(0, 4000);
  const [even = 0, odd = 0] = [0, 1].map(
    (rest) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length,
  );
  if (Math.max(even, odd) > start.length / 5) return odd > even ? 'utf-16le' : 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    const strange = (encoding: Encoding) =>
      new TextDecoder(encoding).decode(bytes.subarray(0, GUESSED_BYTES)).match(STRANGE)?.length ?? 0;
    return LIKELY.toSorted((a, b) => strange(a) - strange(b))[0] ?? 'windows-1252';
  }
}
