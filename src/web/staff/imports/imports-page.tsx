import CreditCard from 'lucide-react/icons/credit-card';
import Download from 'lucide-react/icons/download';
import { OPEN_STATUSES } from '../../../domain/imports/import-words.ts';
import { api } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useMay } from '../record/use-member-record.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { ChooseFileCard } from './choose-file-card.tsx';
import { OpenImportCards } from './open-import-cards.tsx';
import { PastImportsCard } from './past-imports-card.tsx';
import { isWorking, useImportAction, useImports, useUpload } from './use-imports.ts';

const OPEN: readonly string[] = OPEN_STATUSES;

/** Imports members from a file or from Stripe, and downloads all members as a file. */
export function ImportsPage() {
  const query = useImports();
  const { data: imports = [] } = query;
  const { upload, progress, problem } = useUpload();
  const managesMoney = useMay('manage_money');
  const open = imports.find(({ status }) => OPEN.includes(status));
  const past = imports.filter((it) => it !== open);
  return (
    <PageShell
      width="wide"
      title="Import and Export"
      lead="Import members from another system, or download everyone as a file."
      back={useBackToMore()}
    >
      <Loaded query={query} failed="We couldn’t load the imports" card lines={6}>
        {() => (
          <>
            {open && !progress ? (
              <OpenImportCards of={open} />
            ) : (
              <>
                <ChooseFileCard onFile={(file) => void upload(file)} progress={progress} problem={problem} />
                {managesMoney && !progress && site.payments === 'on' && <LookAtStripeCard />}
              </>
            )}
            {past.length > 0 && (
              <PastImportsCard imports={past} busy={open !== undefined || past.some(isWorking)} />
            )}
          </>
        )}
      </Loaded>
      <Card title="Export Everyone">
        <div className="flex flex-col items-start gap-4">
          <p className="max-w-[70ch]">
            Everyone with an account: tier, notes, tags, allergies, pours left, and the ids of card
            subscriptions at Stripe. You can import the file here again, or elsewhere. It holds personal data,
            so keep it safe.
          </p>
          <AnchorButton
            variant="secondary"
            href="/api/exports/members"
            download
            icon={<Download size={18} aria-hidden="true" />}
          >
            Download All Members
          </AnchorButton>
        </div>
      </Card>
    </PageShell>
  );
}

/** For a venue whose members already paid through Stripe before it moved here. */
function LookAtStripeCard() {
  const look = useImportAction(api.adoptions.create, 'We couldn’t reach Stripe. Please try again.');
  return (
    <Card title="Members Who Already Pay Through Stripe">
      <div className="flex flex-col items-start gap-4">
        <p className="max-w-[70ch]">
          If your Stripe account already has subscriptions, you can turn them into memberships here. Card,
          price and billing date stay the same. You’ll see what happens to each one first. Nobody is charged,
          and no emails are sent unless you send them.
        </p>
        <Button
          variant="secondary"
          icon={<CreditCard size={18} aria-hidden="true" />}
          busy={look.busy}
          busyLabel="Asking Stripe..."
          onClick={() => look.run({})}
        >
          Find Subscriptions
        </Button>
      </div>
    </Card>
  );
}
