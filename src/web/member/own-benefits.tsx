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
    <li>
      <p className="wrap-anywhere">{words}</p>
      {every !== null && number !== null && left !== null && (
        <p className="text-ink-muted text-sm tabular-nums">{benefitLeftText({ every, number, left })}</p>
      )}
    </li>
  );
}
