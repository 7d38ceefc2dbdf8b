import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Mail from 'lucide-react/icons/mail';
import { useState } from 'react';
import type { MemberAtRisk } from '../../../contract/staff/members-at-risk.ts';
import { orpc } from '../../api/client.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { PersonalEmailDialog } from './personal-email-dialog.tsx';

/** Members who may leave: why, one thing to do, and an email that only staff can send. */
export function AtRiskPage() {
  const { data, error, isError, isFetching, refetch } = useQuery(orpc.outreach.listAtRisk.queryOptions());
  const [writing, setWriting] = useState<MemberAtRisk | null>(null);
  return (
    <PageShell
      width="wide"
      title="At Risk"
      lead="Who may leave, and why we think so. Nothing is sent until you send it."
      back={useBackToMore()}
    >
      {data ? (
        <Card padding="plain">
          {data.members.length === 0 ? (
            <EmptyState
              picture={<EmptyGlassPicture />}
              title="Nobody is at risk"
              text="No overdue payments, no long absences, no unused pours. Members who may leave will appear here."
            />
          ) : (
            <ul className="divide-y divide-line">
              {data.members.map((member) => (
                <AtRiskRow key={member.customer_id} member={member} onWrite={() => setWriting(member)} />
              ))}
            </ul>
          )}
          {data.total > data.members.length && (
            <p className="px-5 py-4 text-ink-muted text-sm sm:px-7">
              The {data.members.length} most pressing, of {data.total}.
            </p>
          )}
        </Card>
      ) : (
        <Card>
          {isError ? (
            <ErrorState
              of={error}
              title="We couldn’t load the members"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          ) : (
            <SkeletonLines lines={6} />
          )}
        </Card>
      )}
      {writing && <PersonalEmailDialog member={writing} onClose={() => setWriting(null)} />}
    </PageShell>
  );
}

function AtRiskRow({ member, onWrite }: { member: MemberAtRisk; onWrite: () => void }) {
  const { user_id, name, tier, risks, act } = member;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-7">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to="/staff/customers/$id" params={{ id: user_id }} className="link font-semibold text-lg">
            {name}
          </Link>
          <TierBadge tier={tier} />
        </p>
        <ul className="mt-1 text-sm">
          {risks.map(({ kind, text }) => (
            <li key={kind}>{text}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-col items-start gap-1 sm:items-end">
        <p className="font-semibold text-sm">{act}</p>
        {member.obstacle === null ? (
          <Button
            variant="secondary"
            size="sm"
            icon={<Mail size={18} aria-hidden="true" />}
            aria-label={`Write to ${name}`}
            onClick={onWrite}
          >
            Write
          </Button>
        ) : (
          <p className="text-ink-muted text-sm">{obstacleText(member)}</p>
        )}
      </div>
    </li>
  );
}

function obstacleText({ obstacle, last_letter }: MemberAtRisk): string {
  if (obstacle === 'opted_out') return 'Opted out of these emails';
  return last_letter ? `Emailed on ${dateOfInstant(last_letter)}` : 'No email right now';
}
