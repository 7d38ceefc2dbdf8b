import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { pourCount } from '../../../domain/pour.ts';
import { readTablet } from '../../api/device/tablet.ts';
import { localKeys, POUR_PREFIX, readLocal } from '../../api/local-storage.ts';
import { currentUser, startSession } from '../../api/session.ts';
import { Crest } from '../../brand/crest.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LockedDoorPicture } from '../../ui/illustrations.tsx';
import { Initials } from '../../ui/initials.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useDarkByDefault } from '../../ui/theme.ts';
import { landingFor } from '../landing.ts';
import { PinPad } from './pin-pad.tsx';
import { type People, type Person, usePeople } from './use-people.ts';

export default function TabletPage() {
  const router = useRouter();
  const { state, reload } = usePeople();
  const [person, setPerson] = useState<Person | null>(null);
  useDarkByDefault();

  const enter = async () => {
    startSession();
    const user = await currentUser();
    if (user) await router.navigate({ href: landingFor(user, undefined), replace: true });
    else reload();
  };

  if (state.kind === 'no tablet') return <NoTablet />;
  if (person) {
    const back = () => {
      setPerson(null);
      reload();
    };
    return <PinPad person={person} onEntered={enter} onBack={back} />;
  }
  return (
    <PageShell
      title="Who is pouring?"
      width="wide"
      centered
      heading={
        <>
          <Crest className="mx-auto mb-4 h-14 w-auto text-brass" />
          Who is pouring?
        </>
      }
      lead={state.kind === 'tablet' ? state.name : readTablet()?.name}
    >
      <Tiles state={state} onChoose={setPerson} onRetry={reload} />
    </PageShell>
  );
}

interface TilesProps {
  state: Exclude<People, { kind: 'no tablet' }>;
  onChoose: (person: Person) => void;
  onRetry: () => void;
}

const TILES = 'mx-auto flex w-full max-w-4xl flex-wrap justify-center gap-3 sm:gap-4';
const TILE = 'w-[calc(50%-0.375rem)] sm:w-52';

function Tiles({ state, onChoose, onRetry }: TilesProps) {
  if (state.kind === 'loading') {
    return (
      <div className={TILES} aria-hidden="true">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className={`h-40 rounded-lg ${TILE}`} />
        ))}
      </div>
    );
  }
  if (state.kind === 'failed') {
    return (
      <ErrorState
        of={state.error}
        title="We can’t reach our server"
        text="PINs can’t be checked without it. Pours waiting on this tablet are saved, and will be sent once the person who poured them is back."
        onRetry={onRetry}
      />
    );
  }
  if (state.people.length === 0) {
    return (
      <EmptyState
        picture={<LockedDoorPicture />}
        title="Nobody has a PIN yet"
        text="Each staff member sets their own: sign in on your phone or computer, open Account, and set a PIN. Then your name appears here."
      />
    );
  }
  const waiting = waitingPours();
  return (
    <>
      <ul className={TILES}>
        {state.people.map((person) => (
          <li key={person.user_id} className={TILE}>
            <Tile
              person={person}
              waiting={waiting.get(person.user_id) ?? 0}
              onChoose={() => onChoose(person)}
            />
          </li>
        ))}
      </ul>
      <p className="text-center text-ink-muted text-sm">
        Not here? Set a PIN under Account, on your own phone or computer.
      </p>
    </>
  );
}

function Tile({ person, waiting, onChoose }: { person: Person; waiting: number; onChoose: () => void }) {
  const { first_name, last_name } = person;
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex h-full min-h-40 w-full select-none flex-col items-center justify-center gap-3 rounded-lg border border-line-strong bg-surface p-4 text-center shadow-card hover-ready:border-ink hover-ready:bg-surface-raised"
    >
      <Initials {...person} className="size-16 text-2xl" />
      <span className="line-clamp-2 wrap-anywhere font-semibold text-lg leading-tight">
        {first_name} {last_name}
      </span>
      {waiting > 0 && (
        <span className="rounded-full bg-warning-soft px-3 py-0.5 text-sm text-warning">
          {pourCount(waiting)} to send
        </span>
      )}
    </button>
  );
}

function NoTablet() {
  const was = readTablet();
  return (
    <PageShell title="Shared Tablet" width="narrow" centered>
      <EmptyState
        picture={<LockedDoorPicture />}
        titleAs="h2"
        title={was ? `${was.name} was signed out` : 'This browser is not a shared tablet'}
        text={
          <>
            Someone who manages staff can make this a shared tablet{was && ' again'}: they sign in here, open
            Team, and choose Make This a Shared Tablet.
            {was &&
              ' Pours waiting here are saved, and will be sent once the person who poured them enters their PIN.'}
          </>
        }
        action={<LinkButton to="/login">Sign In</LinkButton>}
      />
    </PageShell>
  );
}

/** Glasses in the offline queue of this device, by the user who poured them. */
function waitingPours(): Map<string, number> {
  const waiting = new Map<string, number>();
  for (const key of localKeys(POUR_PREFIX)) {
    const pour = (readLocal(key) ?? {}) as Record<string, unknown>;
    const { staff_id, quantity, refused, withdrawn } = pour;
    if (typeof staff_id !== 'string' || typeof quantity !== 'number' || refused !== undefined || withdrawn)
      continue;
    waiting.set(staff_id, (waiting.get(staff_id) ?? 0) + quantity);
  }
  return waiting;
}
