import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiClient } from '../../../contract/auth/api-clients.ts';
import { STAFF_SCOPES } from '../../../domain/staff/api-scope.ts';
import { api, orpc } from '../../api/client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { dateOfInstant } from '../venue-dates.ts';
import { ApiClientForm, type Credentials, SCOPE_TEXT } from './api-client-form.tsx';

type Step = { name: 'list' | 'add' } | { name: 'created'; credentials: Credentials };

export default function ApiPage() {
  return (
    <PageShell
      title="API"
      lead={
        <>
          For programs that work with your club.{' '}
          <a href="/api/docs" className="link">
            API Documentation
          </a>
        </>
      }
      back={useBackToMore()}
    >
      <ApiClientsCard />
    </PageShell>
  );
}

/** Tills and scripts that use the API with this user's access (`docs/rules/api.md`, "API clients"). */
function ApiClientsCard() {
  const client = useQueryClient();
  const query = useQuery(orpc.apiClients.list.queryOptions());
  const [step, setStep] = useState<Step>({ name: 'list' });
  const [removing, setRemoving] = useState<ApiClient | null>(null);
  const showList = () => setStep({ name: 'list' });
  const reload = () => void client.invalidateQueries({ queryKey: orpc.apiClients.list.key() });

  const content = () => {
    if (step.name === 'add') {
      return (
        <ApiClientForm
          onCancel={showList}
          onCreated={(credentials) => {
            setStep({ name: 'created', credentials });
            reload();
          }}
        />
      );
    }
    if (step.name === 'created') {
      return (
        <CredentialsPanel
          credentials={step.credentials}
          onDone={() => {
            showList();
            // The new credentials may have been used already.
            reload();
          }}
        />
      );
    }
    return (
      <Loaded query={query} failed="We couldn’t load your API clients" lines={2}>
        {(clients) => (
          <div className="flex flex-col gap-4">
            <p className="max-w-[48ch] text-ink-muted">
              A till or a script can do what you choose here, as long as you can do it yourself. It loses
              access when you remove it, sign out everywhere or reset your password.
            </p>
            {clients.length > 0 && (
              <ul className="flex flex-col divide-y divide-line">
                {clients.map((apiClient) => (
                  <Row key={apiClient.id} apiClient={apiClient} onRemove={() => setRemoving(apiClient)} />
                ))}
              </ul>
            )}
            <Button variant="secondary" className="self-start" onClick={() => setStep({ name: 'add' })}>
              Add API Client
            </Button>
          </div>
        )}
      </Loaded>
    );
  };

  return (
    <Card title="API Access">
      {content()}
      {removing && (
        <ActDialog
          title={`Remove access for ${removing.name}?`}
          description="It stops working immediately. To restore access, add it again."
          confirmLabel="Remove"
          busyLabel="Removing..."
          act={async () => {
            await api.apiClients.delete({ id: removing.id });
            return `Access for ${removing.name} was removed`;
          }}
          failed="We couldn’t remove access. Please try again."
          reload={orpc.apiClients.list.key()}
          onClose={() => setRemoving(null)}
        />
      )}
    </Card>
  );
}

interface RowProps {
  apiClient: ApiClient;
  onRemove: () => void;
}

function Row({ apiClient: { name, scopes, created_at, last_used_at }, onRemove }: RowProps) {
  const usage = last_used_at ? `last used ${dateOfInstant(last_used_at)}` : 'never used';
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-ink-muted text-sm">
          Added {dateOfInstant(created_at)}, {usage}
        </p>
        <p className="text-ink-muted text-sm">
          {STAFF_SCOPES.every((it) => scopes.includes(it))
            ? 'Everything that API clients can do'
            : scopes.map((it) => SCOPE_TEXT[it]).join(' · ')}
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`Remove access for ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

/** Shown once: the server stores only a hash of the secret. */
function CredentialsPanel({ credentials, onDone }: { credentials: Credentials; onDone: () => void }) {
  const parts = [
    ['Client ID', credentials.client_id],
    ['Client Secret', credentials.client_secret],
  ] as const;
  return (
    <div className="flex flex-col gap-5">
      <p>
        Enter these in <strong className="wrap-anywhere">{credentials.name}</strong>. The secret is shown only
        once.
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
                onClick={() =>
                  void copyText(
                    value,
                    `${term} copied`,
                    'We couldn’t copy it. Select the text and copy it yourself.',
                  )
                }
              >
                Copy
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      <Button className="self-start" onClick={onDone}>
        I’ve Saved Them
      </Button>
    </div>
  );
}
