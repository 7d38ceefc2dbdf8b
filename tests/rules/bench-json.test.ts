import { expect, test } from 'vitest';
import { tablesOf } from '../../bench/parts/json.ts';

test('what a benchmark prints as markdown is the same as JSON: a record for each row, numbers as numbers', () => {
  const markdown = `Pours per second, medians of 5 rounds of 400

| clients at once | over HTTP | server, ms |
|---|---:|---|
| 16 | 1,252 | 2.0 |
| 1 | 98 % | |

Applications

| kind | p50, ms |
|---|---|
| page, status=pending | 6.3 |
`;
  expect(tablesOf(markdown)).toEqual({
    notes: ['Pours per second, medians of 5 rounds of 400', 'Applications'],
    tables: [
      {
        title: 'Pours per second, medians of 5 rounds of 400',
        rows: [
          { 'clients at once': 16, 'over HTTP': 1252, 'server, ms': 2 },
          { 'clients at once': 1, 'over HTTP': 98, 'server, ms': '' },
        ],
      },
      { title: 'Applications', rows: [{ kind: 'page, status=pending', 'p50, ms': 6.3 }] },
    ],
  });
});
