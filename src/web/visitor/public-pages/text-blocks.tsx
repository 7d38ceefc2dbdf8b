import { textBlocks } from '../../../domain/club/public-pages.ts';

/** A text that the venue wrote: headings, and paragraphs that keep their lines. */
export function TextBlocks({ text, level }: { text: string; level: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return textBlocks(text).map(({ kind, text: words }, at) =>
    kind === 'heading' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other key
      <Heading key={at} className="mt-5 text-xl first:mt-0">
        {words}
      </Heading>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other key
      <p key={at} className="whitespace-pre-line">
        {words}
      </p>
    ),
  );
}
