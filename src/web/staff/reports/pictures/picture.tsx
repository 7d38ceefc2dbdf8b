import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';

/** One series of a chart. `key` is the name of its value in each point. */
export interface Series {
  key: string;
  label: string;
  /** A color of tokens.css. */
  color: string;
}

export interface PictureProps {
  /** area and bars are stacked. */
  kind: 'area' | 'bars';
  points: { name: string; [key: string]: string | number }[];
  series: Series[];
  format?: (value: number) => string;
}

const TICK = { fill: 'var(--color-ink-muted)', fontSize: 13 };
const GRID = { stroke: 'var(--color-line)', vertical: false };
const plain = (value: number) => value.toLocaleString('en-US');

/** Never animated, and without focusable parts: the table beside it shows the same figures. */
export default function Picture({ kind, points, series, format = plain }: PictureProps) {
  const parts = [
    <CartesianGrid key="grid" {...GRID} />,
    <XAxis
      key="x"
      dataKey="name"
      tick={TICK}
      stroke="var(--color-line-strong)"
      tickLine={false}
      minTickGap={24}
      tickMargin={8}
    />,
    <YAxis
      key="y"
      width="auto"
      tick={TICK}
      axisLine={false}
      tickLine={false}
      tickFormatter={format}
      allowDecimals={false}
    />,
    <Tooltip
      key="tooltip"
      isAnimationActive={false}
      cursor={{ fill: 'var(--color-surface-sunken)', stroke: 'var(--color-line-strong)' }}
      content={({ active, payload, label }) =>
        active ? (
          <div className="rounded-md border border-line bg-surface-raised px-3 py-2 text-sm shadow-raised">
            <p className="mb-1 font-semibold">{label}</p>
            {[...payload].reverse().map((item) => (
              <p key={String(item.dataKey)} className="tabular-nums">
                {item.name}: {format(Number(item.value))}
              </p>
            ))}
          </div>
        ) : null
      }
    />,
  ];
  const chart = {
    data: points,
    accessibilityLayer: false,
    margin: { top: 8, right: 12, bottom: 0, left: 0 },
  };
  const common = ({ key, label }: Series) => ({ dataKey: key, name: label, isAnimationActive: false });
  return (
    <div className="h-72 sm:h-80">
      <ResponsiveContainer width="100%" height="100%">
        {kind === 'bars' ? (
          <BarChart {...chart} barCategoryGap="18%" stackOffset="sign">
            {parts}
            {series.map((it) => (
              <Bar key={it.key} {...common(it)} fill={it.color} stackId="all" maxBarSize={44} />
            ))}
          </BarChart>
        ) : (
          <AreaChart {...chart}>
            {parts}
            {series.map((it) => (
              <Area
                key={it.key}
                {...common(it)}
                fill={it.color}
                fillOpacity={0.92}
                stroke="var(--color-surface)"
                strokeWidth={1.5}
                stackId="all"
              />
            ))}
          </AreaChart>
        )}
      </ResponsiveContainer>
    </div>
  );
}
