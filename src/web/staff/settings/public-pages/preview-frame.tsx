import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';

export function PreviewFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card title="Preview">
      <div role="img" aria-label={label}>
        <div
          aria-hidden="true"
          inert
          className="max-h-[80dvh] overflow-y-auto rounded-md border border-line bg-background text-ink"
        >
          {children}
        </div>
      </div>
    </Card>
  );
}
