import type { MemberImport } from '../../../contract/staff/imports.ts';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { useImportAction } from './use-imports.ts';

/** Discards rows that were read but not imported. */
export function DiscardButton({ of: { id, source } }: { of: MemberImport }) {
  const discard = useImportAction(api.imports.discard, 'We couldn’t discard it. Please try again.');
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-label={source === 'stripe' ? 'Discard List' : 'Discard File'}
      busy={discard.busy}
      onClick={() => discard.run({ id })}
    >
      Discard
    </Button>
  );
}
