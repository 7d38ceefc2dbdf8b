import ScanLine from 'lucide-react/icons/scan-line';
import type { BarCard } from '../../../contract/members.ts';
import { noAccessReason, poursReturnText } from '../../format/standing-labels.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Replaces the form when there is nothing to pour: the reason, when glasses return, and the next member. */
export function NoPoursLeft({ bar }: { bar: BarCard | undefined }) {
  const lost = bar !== undefined && noAccessReason(bar) !== null;
  return (
    <>
      <Notice
        tone={lost ? 'danger' : 'warning'}
        role="status"
        title={lost ? 'No pours' : 'No pours left in this billing period'}
      >
        {bar && poursReturnText(bar)}
      </Notice>
      <ActionBar>
        <LinkButton to="/staff/search" size="xl" block icon={<ScanLine size={28} aria-hidden="true" />}>
          Scan Next
        </LinkButton>
      </ActionBar>
    </>
  );
}
