import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import Mail from 'lucide-react/icons/mail';
import { useState } from 'react';
import { personalEmail } from '../../../contract/forms/staff-fields.ts';
import type { MemberAtRisk } from '../../../contract/staff/members-at-risk.ts';
import { RISK_KINDS, type RiskKind, type RiskLevel } from '../../../domain/reports/members-at-risk.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { dateOfDay } from '../../format/dates.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { CsvLink, fileUrl } from '../csv-link.tsx';
import { FilterSelect } from '../filter-select.tsx';
import { useManagesMembers } from '../record/use-member-record.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { dateOfInstant } from '../venue-dates.ts';

const route = getRouteApi('/_staff/staff/at-risk');

const REASONS: Record<RiskKind, { label: string; nobody: string }> = {
  payment: { label: 'Payment overdue', nobody: 'No payment is overdue.' },
  absent: { label: 'Not seen for 21 days', nobody: 'Every member was here within the last three weeks.' },
  not_mine: { label: 'Didn’t like their wines', nobody: 'Nobody disliked their last two wines.' },
  unused: {
    label: 'Unused pours',
    nobody: 'Nobody has half of their pours left in the last week of their month.',
  },
};
const LEVELS: Record<RiskLevel, { label: string; tone: 'danger' | 'warning' | 'neutral' }> = {
  high: { label: 'High', tone: 'danger' },
  medium: { label: 'Medium', tone: 'warning' },
  low: { label: 'Low', tone: 'neutral' },
};

export default function AtRiskPage() {
  const { reason } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(orpc.outreach.listAtRisk.queryOptions({ input: { reason } }));
  const { data: list } = query;
  const [writing, setWriting] = useState<MemberAtRisk | null>(null);
  return (
    <PageShell
      width="wide"
      title="At Risk"
      lead="Who may leave, and why we think so. Nothing is sent until you send it."
      back={useBackToMore()}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <FilterSelect
          label="Reason"
          any="Every reason"
          options={RISK_KINDS.map((value) => ({ value, label: REASONS[value].label }))}
          value={reason}
          onChange={(value) =>
            void navigate({ search: { reason: RISK_KINDS.find((it) => it === value) }, replace: true })
          }
        />
        {list && list.total > 0 && (
          <CsvLink
            href={fileUrl('/api/members-at-risk/csv', { reason })}
            label="These members as a CSV file"
          />
        )}
      </div>
      <Loaded query={query} failed="We couldn’t load the members" card lines={6}>
        {(data) => (
          <Card padding="plain">
            {data.members.length === 0 ? (
              <EmptyState
                picture={<EmptyGlassPicture />}
                title={reason ? 'Nobody for this reason' : 'Nobody is at risk'}
                text={
                  reason
                    ? REASONS[reason].nobody
                    : 'No overdue payments, no long absences, no unused pours. Members who may leave will appear here.'
                }
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
                The {data.members.length} most likely to leave, of {data.total}. The file has them all.
              </p>
            )}
          </Card>
        )}
      </Loaded>
      {writing && <PersonalEmailDialog member={writing} onClose={() => setWriting(null)} />}
    </PageShell>
  );
}

function AtRiskRow({ member, onWrite }: { member: MemberAtRisk; onWrite: () => void }) {
  const { user_id, name, tier, risks, level, last_visit, days_away, act } = member;
  const manages = useManagesMembers();
  // The reason says how long ago it was.
  const since = risks.some(({ kind }) => kind === 'absent') ? '' : `, ${daysAgo(days_away)}`;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-7">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to="/staff/customers/$id" params={{ id: user_id }} className="link font-semibold text-lg">
            {name}
          </Link>
          <TierBadge tier={tier} />
          <Badge tone={LEVELS[level].tone}>{LEVELS[level].label} risk</Badge>
        </p>
        <ul className="mt-1 text-sm">
          {risks.map(({ kind, text }) => (
            <li key={kind}>{text}</li>
          ))}
        </ul>
        <p className="mt-1 text-ink-muted text-sm">
          Last visit: {last_visit ? `${dateOfDay(last_visit)}${since}` : 'never'}
        </p>
      </div>
      <div className="flex flex-col items-start gap-1 sm:items-end">
        <p className="font-semibold text-sm">{act}</p>
        {!manages ? null : member.obstacle === null ? (
          <Button
            variant="secondary"
            size="sm"
            icon={<Mail size={18} />}
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

const daysAgo = (days: number) => (days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`);

function obstacleText({ obstacle, last_email: sent_at }: MemberAtRisk): string {
  if (obstacle === 'not_agreed') return 'Has not agreed to emails yet';
  if (obstacle === 'opted_out') return 'Wants no such emails';
  return sent_at ? `Emailed on ${dateOfInstant(sent_at)}` : 'No email right now';
}

const REFUSED = {
  not_at_risk: 'Nothing was sent: this member is no longer at risk.',
  not_agreed: 'Nothing was sent: they have not agreed to these emails.',
  opted_out: 'Nothing was sent: they want no such emails.',
  too_soon: 'Nothing was sent: someone already wrote to them in the last 30 days.',
} as const;

function PersonalEmailDialog({ member, onClose }: { member: MemberAtRisk; onClose: () => void }) {
  const { customer_id, name, draft } = member;
  const client = useQueryClient();
  // One email per dialog: a double tap or a retry sends it once.
  const [request_id] = useState(() => crypto.randomUUID());
  const form = useForm({
    fields: personalEmail,
    values: draft,
    onSubmit: async (input) => {
      try {
        await api.outreach.sendEmail({ customer_id, request_id, ...input });
        toast.success(`Sent to ${name}`);
        onClose();
      } finally {
        void client.invalidateQueries({ queryKey: orpc.outreach.listAtRisk.key() });
      }
    },
    onError: (error) => {
      const refusal = refusalOf(error, 'LETTER_REFUSED');
      return refusal ? REFUSED[refusal.data.reason] : (serverMessage(error) ?? 'Not sent. Please try again.');
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Write to ${name}`}
      width="wide"
      description="We add a greeting, the club’s name, and a line on how to stop these emails."
      onClose={onClose}
      submitLabel="Send"
      busyLabel="Sending..."
    >
      <TextField label="Subject" {...form.field('subject')} />
      <TextareaField label="Text" rows={8} {...form.field('text')} />
    </FormDialog>
  );
}
