import { askDrinkers } from './parts/drinkers.ts';

// npm run bench -- taste [drinkers]: how good the suggestions are for made-up drinkers whose taste is known.

const drinkers = Number(process.argv[2] ?? 400);
const SEEDS = [1, 2, 3, 4, 5];

const percent = (share: number) => `${Math.round(share * 100)} %`;
const runs = SEEDS.map((seed) => ({ seed, ...askDrinkers(seed, drinkers) }));

console.log(
  `Of five suggestions after ten rated glasses, the share that the drinker loves; ${drinkers} drinkers\n`,
);
console.log('| seed | learned | survey alone | popularity | learned / survey | learned / popularity |');
console.log('|---|---|---|---|---|---|');
for (const { seed, learned, survey, popularity } of runs) {
  const ratios = [learned / survey, learned / popularity].map((it) => it.toFixed(2));
  console.log(
    `| ${seed} | ${[learned, survey, popularity].map(percent).join(' | ')} | ${ratios.join(' | ')} |`,
  );
}
