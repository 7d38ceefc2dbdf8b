import type { MemberImport } from '../../../contract/staff/imports.ts';
import { api, orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { useAct } from '../use-act.ts';

export function DiscardButton({ of: { id, source } }: { of: MemberImport }) {
  const discard = useAct('We couldn’t discard it. Please try again.', orpc.imports.key());
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-label={source === 'stripe' ? 'Discard List' : 'Discard File'}
      busy={discard.busy}
      onClick={() => discard.act(() => api.imports.discard({ id }))}
    >
      Discard
    </Button>
  );
}
