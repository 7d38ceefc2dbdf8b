import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** Whether staff may email a member at risk; emails about the membership are always sent. */
export function PersonalEmailsCard() {
  const client = useQueryClient();
  const options = orpc.outreach.getOwn.queryOptions();
  const { data } = useQuery(options);
  const { busy, send } = useSend();
  // Renders nothing until loaded: this is the least important part of the page.
  if (!data) return null;
  const { wanted } = data;
  const change = () =>
    send(
      async () => client.setQueryData(options.queryKey, await api.outreach.updateOwn({ wanted: !wanted })),
      (error) => {
        toast.error('We couldn’t save the change', {
          description: serverMessage(error) ?? undefined,
          of: error,
        });
      },
    );
  return (
    <Card
      title="Personal Emails"
      aside={<Badge tone={wanted ? 'positive' : 'neutral'}>{wanted ? 'On' : 'Off'}</Badge>}
    >
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-60 text-ink-muted">
          {wanted
            ? `Now and then someone at ${site.club_name} may email you, for example if we haven’t seen you in a while.`
            : 'We only email you about your membership and your account.'}
        </p>
        <Button variant="secondary" size="sm" busy={busy} onClick={() => void change()}>
          {wanted ? 'Turn Off' : 'Turn On'}
        </Button>
      </div>
    </Card>
  );
}
