import type { LegalPageContent } from '../../../contract/public-page.ts';
import { LEGAL_TITLES } from '../../../domain/club/public-pages.ts';
import { TextBlocks } from './text-blocks.tsx';

export function LegalText({ page, text, stored }: LegalPageContent) {
  return (
    <div className="mx-auto flex w-full max-w-reading flex-col gap-3 px-5 py-10 sm:px-8 sm:py-14">
      <h1 className="mb-3 text-3xl sm:text-4xl">{LEGAL_TITLES[page]}</h1>
      <TextBlocks text={text} level={2} />
      {stored.length > 0 && (
        <>
          <h2 className="mt-5 text-xl">What we store, and for how long</h2>
          <p>
            We store this while you have an account. When you delete it, what payments and pours need stays,
            without your name. Everything else is deleted.
          </p>
          <details>
            <summary className="link target inline-flex w-fit items-center">Show the full list</summary>
            <dl className="mt-2 divide-y divide-line border-line border-y text-sm">
              {stored.map(({ about, kept }) => (
                <div key={about} className="gap-6 py-2 sm:flex sm:justify-between">
                  <dt className="sm:w-1/2">{about}</dt>
                  <dd className="text-ink-muted sm:w-1/2">
                    {kept ? 'Stays without your name, for our accounts' : 'Deleted with your account'}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </div>
  );
}
