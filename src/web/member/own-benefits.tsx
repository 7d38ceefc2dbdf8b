import type { OwnBenefit } from '../../contract/benefits.ts';
import { benefitLeftText } from '../../domain/membership/benefit.ts';
import { Card } from '../ui/card.tsx';

/** What the member's tier gives beside the pours, counted ones with what is left. Nothing without any. */
export function OwnBenefits({ benefits }: { benefits: OwnBenefit[] }) {
  if (benefits.length === 0) return null;
  return (
    <Card title="Benefits" className="print-hidden">
      <ul className="flex flex-col gap-2">
        {benefits.map((benefit) => (
          <BenefitLine key={benefit.id} benefit={benefit} />
        ))}
      </ul>
    </Card>
  );
}

function BenefitLine({ benefit: { words, every, number, left } }: { benefit: OwnBenefit }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4">
      <span className="wrap-anywhere">{words}</span>
      {every !== null && number !== null && left !== null && (
        <span className="text-ink-muted tabular-nums">{benefitLeftText({ every, number, left })}</span>
      )}
    </li>
  );
}
