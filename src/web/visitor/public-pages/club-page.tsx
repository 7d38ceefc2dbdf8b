import type { ReactNode } from 'react';
import type { ClubPageContent } from '../../../contract/public-page.ts';
import { pageText } from '../../../domain/club/public-page-texts.ts';
import { taxWords } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { site } from '../../api/site.ts';
import { Crest } from '../../brand/crest.tsx';
import { SupportLink } from '../../brand/support-link.tsx';
import { tierStyle } from '../../brand/tier-style.ts';
import { WineMark } from '../../brand/wine-mark.tsx';
import { tierPrice, yearOffer } from '../../format/money.ts';
import { tierHolds } from '../../format/tier-holds.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { classNames } from '../../ui/class-names.ts';
import { TextBlocks } from './text-blocks.tsx';

type Tier = ClubPageContent['tiers'][number];
type Wine = ClubPageContent['wines'][number];

/** The club's page without head and foot. Its columns follow its own width, so that the office can preview it. */
export function ClubPage({ settings, tiers, wines, picture }: ClubPageContent) {
  const questions = pageText('page_questions', settings, site.payments);
  return (
    <div className="@container">
      <Hero
        settings={settings}
        picture={picture}
        canGive={site.payments === 'on' && tiers.some(({ monthly_price }) => monthly_price > 0)}
      />
      {tiers.length > 0 && (
        <Part title="Membership" sunken>
          <ul className="grid @2xl:grid-cols-2 gap-5 @4xl:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))]">
            {tiers.map((tier) => (
              <TierPanel key={tier.tier_name} tier={tier} />
            ))}
          </ul>
        </Part>
      )}
      {wines.length > 0 && (
        <Part title="Tonight’s Wines">
          <ul className="grid @2xl:grid-cols-2 gap-x-8 gap-y-4 @4xl:grid-cols-3">
            {wines.map((wine) => (
              <WineLine key={wine.id} wine={wine} />
            ))}
          </ul>
        </Part>
      )}
      {questions && (
        <Part title="Questions" sunken={wines.length > 0}>
          <div className="flex max-w-reading flex-col gap-2">
            <TextBlocks text={questions} level={3} />
          </div>
        </Part>
      )}
      <Visit settings={settings} />
    </div>
  );
}

function Part({ title, sunken, children }: { title: string; sunken?: boolean; children: ReactNode }) {
  return (
    <section className={classNames('border-line border-t', sunken && 'bg-surface-sunken')}>
      <div className="mx-auto w-full max-w-wide @2xl:px-8 px-5 @2xl:py-14 py-10">
        <h2 className="mb-6 text-2xl">{title}</h2>
        {children}
      </div>
    </section>
  );
}

function Hero({
  settings,
  picture,
  canGive,
}: Pick<ClubPageContent, 'settings' | 'picture'> & { canGive: boolean }) {
  return (
    <section className="mx-auto grid w-full max-w-wide @3xl:grid-cols-2 items-center gap-8 @3xl:gap-12 px-5 @2xl:px-8 py-10 @3xl:py-16">
      <div className="flex flex-col gap-4">
        <p className="eyebrow text-brass-text">{settings.club_name}</p>
        <h1 className="text-4xl">
          {pageText('page_heading', settings, site.payments) || settings.club_name}
        </h1>
        <TextBlocks text={pageText('page_words', settings, site.payments)} level={2} />
        <p className="mt-2 flex flex-wrap gap-3">
          <a href="/register" className={buttonStyle({ size: 'lg' })}>
            Join {settings.club_name}
          </a>
          {canGive && (
            <a href="/gift" className={buttonStyle({ size: 'lg', variant: 'secondary' })}>
              Give a Membership
            </a>
          )}
        </p>
      </div>
      {picture ? (
        <img
          src={picture}
          alt=""
          width={1200}
          height={630}
          fetchPriority="high"
          className="aspect-[40/21] w-full rounded-xl object-cover shadow-raised"
        />
      ) : (
        <Cards name={settings.club_name} />
      )}
    </section>
  );
}

/** Two membership cards, drawn where a venue has no picture. */
function Cards({ name }: { name: string }) {
  const card = (tier: string, place: string) => {
    const { paper, line, crest } = tierStyle(tier);
    return (
      <div className={classNames('absolute aspect-[1.586] w-4/5 rounded-xl p-2 shadow-object', paper, place)}>
        <div className={classNames('flex h-full flex-col justify-between rounded-lg border p-4', line)}>
          <Crest className={classNames('h-12 w-auto self-end', crest)} />
          <p className="line-clamp-2 font-title @md:text-2xl text-xl leading-tight">{name}</p>
        </div>
      </div>
    );
  };
  return (
    <div aria-hidden="true" className="relative mx-auto aspect-[1.4] w-full max-w-[28rem]">
      {card('select', 'top-0 right-0 rotate-3')}
      {card('premier', 'bottom-0 left-0 -rotate-3')}
    </div>
  );
}

function TierPanel({ tier }: { tier: Tier }) {
  const { display_name, monthly_price, monthly_pours } = tier;
  const { paper, crest } = tierStyle(tier.tier_name);
  const tax = taxWords(site.tax_behavior);
  const year = yearOffer(tier);
  const holds = tierHolds(tier);
  return (
    <li className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      <h3
        className={classNames(
          'flex items-center justify-between gap-3 border-line border-b px-5 py-3 text-xl',
          paper,
        )}
      >
        {display_name}
        <Crest className={classNames('h-9 w-auto shrink-0', crest)} />
      </h3>
      <div className="flex flex-1 flex-col gap-2 p-5">
        <p className="tabular-nums">
          {monthly_price > 0 ? (
            <>
              <span className="font-title text-3xl">{tierPrice(monthly_price)}</span>{' '}
              <span className="text-ink-muted">per month{tax && ` ${tax}`}</span>
            </>
          ) : (
            <span className="font-title text-3xl">Free</span>
          )}
        </p>
        {year && <p className="text-sm tabular-nums">Or {year}</p>}
        <p className="font-semibold">{pourCount(monthly_pours)} per month</p>
        {holds.length > 0 && (
          <ul className="flex flex-col gap-1 text-sm">
            {holds.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        )}
        <p className="text-ink-muted text-sm">{tier.description}</p>
        {tier.is_featured && (
          <p>
            <Badge tone="brass">Recommended</Badge>
          </p>
        )}
        <p className="mt-auto pt-3">
          <a
            href={`/join/${encodeURIComponent(tier.tier_name)}`}
            className={buttonStyle({ block: true, variant: 'secondary' }, 'wrap-anywhere')}
          >
            Join {display_name}
          </a>
        </p>
      </div>
    </li>
  );
}

function WineLine({ wine }: { wine: Wine }) {
  const { color, name, vintage, producer, region, country } = wine;
  const from = [producer, region, country].filter(Boolean).join(', ');
  return (
    <li className="flex gap-3">
      <WineMark color={color} className="mt-1.5" />
      <div className="min-w-0">
        <p className="font-semibold">
          {name} {vintage}
        </p>
        {from && <p className="text-ink-muted text-sm">{from}</p>}
      </div>
    </li>
  );
}

function Visit({ settings }: Pick<ClubPageContent, 'settings'>) {
  const places = settings.places.filter(({ retired }) => !retired).map(({ name }) => name);
  const parts = [
    ['Address', pageText('page_address', settings, site.payments)],
    ['Hours', pageText('page_hours', settings, site.payments)],
    ['Where We Pour', settings.page_places ? places.join('\n') : ''],
  ].filter(([, text]) => text);
  if (parts.length === 0) {
    return (
      <Part title="Contact">
        <SupportLink />
      </Part>
    );
  }
  return (
    <Part title="Visit Us">
      <div className="grid @2xl:grid-cols-2 gap-6 @4xl:grid-cols-4">
        {parts.map(([title, text]) => (
          <div key={title}>
            <h3 className="mb-1 text-lg">{title}</h3>
            <p className="whitespace-pre-line">{text}</p>
          </div>
        ))}
        <div>
          <h3 className="mb-1 text-lg">Contact</h3>
          <p>
            <SupportLink />
          </p>
        </div>
      </div>
    </Part>
  );
}
