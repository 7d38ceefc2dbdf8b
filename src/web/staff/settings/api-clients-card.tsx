import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiClient } from '../../../contract/api-clients.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { ApiClientForm, type Credentials } from './api-client-form.tsx';

type Step = { at: 'rest' | 'add' } | { at: 'made'; made: Credentials };

/** Tills and scripts that use the API in this person's name. */
export function ApiClientsCard() {
  const client = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery(orpc.apiClients.list.queryOptions());
  const [step, setStep] = useState<Step>({ at: 'rest' });
  const [leaving, setLeaving] = useState<ApiClient | null>(null);
  const rest = () => setStep({ at: 'rest' });
  const reload = () => void client.invalidateQueries({ queryKey: orpc.apiClients.list.key() });

  const content = () => {
    if (step.at === 'add') {
      return (
        <ApiClientForm
          onCancel={rest}
          onMade={(made) => {
            setStep({ at: 'made', made });
            reload();
          }}
        />
      );
    }
    if (step.at === 'made') {
      return (
        <ShownOnce
          made={step.made}
          onDone={() => {
            rest();
            // It may have been tried meanwhile.
            reload();
          }}
        />
      );
    }
    if (isError) {
      return (
        <ErrorState
          title="Your machines could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      );
    }
    if (!data) return <SkeletonLines lines={2} />;
    return (
      <div className="flex flex-col gap-4">
        <p className="max-w-[48ch] text-ink-muted">
          A till or a script can do what you may do here. Its access ends when you take it away, sign out
          everywhere or recover your password.
        </p>
        {data.length > 0 && (
          <ul className="flex flex-col divide-y divide-line">
            {data.map((machine) => (
              <Row key={machine.id} machine={machine} onEnd={() => setLeaving(machine)} />
            ))}
          </ul>
        )}
        <Button variant="secondary" className="self-start" onClick={() => setStep({ at: 'add' })}>
          Add a Machine
        </Button>
      </div>
    );
  };

  return (
    <Card title="Machines">
      {content()}
      <Ending machine={leaving} onClose={() => setLeaving(null)} />
    </Card>
  );
}

function Row({
  machine: { name, created_at, last_used_at },
  onEnd,
}: {
  machine: ApiClient;
  onEnd: () => void;
}) {
  const used = last_used_at ? `last used ${dateOfInstant(last_used_at)}` : 'never used';
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="break-words font-semibold">{name}</p>
        <p className="text-ink-muted text-sm">
          Added {dateOfInstant(created_at)}, {used}
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`Take away access of ${name}`} onClick={onEnd}>
        Take Away
      </Button>
    </li>
  );
}

/** The secret is kept nowhere in a form that could be shown again. */
function ShownOnce({ made, onDone }: { made: Credentials; onDone: () => void }) {
  const copy = async (what: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(`${what} copied`);
    } catch {
      toast.error('It could not be copied. Please select it and copy it by hand.');
    }
  };
  const parts = [
    ['Client ID', made.client_id],
    ['Client Secret', made.client_secret],
  ] as const;
  return (
    <div className="flex flex-col gap-5">
      <p>
        Put these into <strong className="break-words">{made.name}</strong>. The secret is shown only now.
      </p>
      <dl className="flex flex-col gap-4 rounded-md bg-surface-sunken p-4">
        {parts.map(([term, value]) => (
          <div key={term} className="grid grid-cols-[1fr_auto] items-center gap-x-4">
            <dt className="text-ink-muted text-sm">{term}</dt>
            <dd className="select-all break-all font-code">{value}</dd>
            <dd className="col-start-2 row-span-2 row-start-1">
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Copy ${term}`}
                onClick={() => void copy(term, value)}
              >
                Copy
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      <Button className="self-start" onClick={onDone}>
        I Have Kept Them
      </Button>
    </div>
  );
}

function Ending({ machine, onClose }: { machine: ApiClient | null; onClose: () => void }) {
  const client = useQueryClient();
  const ending = useMutation(
    orpc.apiClients.delete.mutationOptions({
      onSuccess: () => toast.success(`${machine?.name} has no access any more`),
      onError: () => toast.error('The access could not be taken away. Please try again.'),
      onSettled: async () => {
        await client.invalidateQueries({ queryKey: orpc.apiClients.list.key() });
        onClose();
      },
    }),
  );
  return (
    <AlertDialog
      open={machine !== null}
      title={`Take away access of ${machine?.name}?`}
      description="It stops working at once. To let it in again, add it anew."
      confirmLabel="Take Away"
      busyLabel="Taking away..."
      busy={ending.isPending}
      onConfirm={() => machine && ending.mutate({ id: machine.id })}
      onClose={onClose}
    />
  );
}
