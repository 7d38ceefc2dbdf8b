import type { MembersReport } from '../../../contract/staff/reports.ts';
import { STANDING_LABELS, STANDINGS_OVER_TIME } from '../../../domain/reports/member-figures.ts';
import type { ReportRange } from '../../../domain/reports/report-range.ts';
import { useTierLabel, useTierNames } from '../../api/use-tier-names.ts';
import { colorOf, LazyPicture } from './pictures/lazy-picture.tsx';
import type { Series } from './pictures/picture.tsx';
import { ReportCard } from './report-card.tsx';
import { count, stepName } from './report-format.ts';

type MemberPoint = MembersReport['points'][number];

export function MembersView({ report, range }: { report: MembersReport; range: ReportRange }) {
  const tierLabel = useTierLabel();
  const order = useTierNames().map(({ tier_name }) => tier_name);
  const { points, step, sign_ups } = report;
  const isEmpty = points.every(({ members }) => members === 0);
  const names = [...new Set(points.flatMap(({ tiers }) => Object.keys(tiers)))];
  names.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const tiers = names.map((key, at) => ({ key, label: tierLabel(key), color: colorOf(at) }));
  const standings = STANDINGS_OVER_TIME.filter((key) => points.some((point) => point.standings[key])).map(
    (key, at) => ({ key, label: STANDING_LABELS[key], color: colorOf(at) }),
  );
  const card = (
    title: string,
    lead: string,
    series: Series[],
    of: (point: MemberPoint) => Record<string, number | undefined>,
  ) => (
    <ReportCard
      title={title}
      lead={lead}
      range={range}
      file="members"
      empty={isEmpty && 'Members appear here once the first one joins.'}
      picture={
        <LazyPicture
          kind="area"
          series={series}
          points={points.map((point) => ({
            name: stepName(point.day, step),
            ...Object.fromEntries(series.map(({ key }) => [key, of(point)[key] ?? 0])),
          }))}
        />
      }
      table={{
        rows: [...points].reverse(),
        rowKey: ({ day }) => day,
        columns: [
          { key: 'day', header: 'End of', cell: ({ day }) => stepName(day, step), isRowHeader: true },
          ...series.map(({ key, label }) => ({
            key,
            header: label,
            align: 'end' as const,
            cell: (point: MemberPoint) => count(of(point)[key] ?? 0),
          })),
          { key: 'members', header: 'All', align: 'end', cell: ({ members }) => count(members) },
        ],
      }}
    />
  );
  return (
    <>
      {card(
        'Members by Tier',
        'Memberships at the end of the day. A household counts once.',
        tiers,
        (point) => point.tiers,
      )}
      {!isEmpty &&
        card(
          'Members by Standing',
          'How their membership is paid, and whether it continues.',
          standings,
          (point) => point.standings,
        )}
      {sign_ups.length > 0 && (
        <ReportCard
          title="Sign-Ups by Colleague"
          lead="Members who joined on these days, approved or signed up by a colleague. Without imported ones."
          range={range}
          file="sign_ups"
          table={{
            rows: sign_ups,
            rowKey: ({ staff_id }) => staff_id,
            columns: [
              { key: 'name', header: 'Who', cell: ({ name }) => name, isRowHeader: true },
              { key: 'members', header: 'Joined', align: 'end', cell: (it) => count(it.members) },
              { key: 'still', header: 'Still here', align: 'end', cell: (it) => count(it.still_members) },
              { key: 'stayed', header: 'Stayed', align: 'end', cell: (it) => stayedText(it.days_stayed) },
            ],
          }}
        />
      )}
    </>
  );
}

/** Days until the end or today, on average: '12 days', '4 months'. */
function stayedText(days: number): string {
  const months = Math.round(days / 30.4);
  if (months < 2) return days === 1 ? '1 day' : `${days} days`;
  return `${months} months`;
}
