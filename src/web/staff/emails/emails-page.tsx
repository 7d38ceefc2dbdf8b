import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WordedEmail } from '../../../contract/staff/emails.ts';
import { EMAIL_KINDS, type EmailKind, WORDING_FIELDS } from '../../../domain/club/emails.ts';
import { orpc } from '../../api/client.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { WordingForm } from './wording-form.tsx';

export function EmailsPage() {
  const query = useQuery(orpc.letters.list.queryOptions());
  return (
    <PageShell
      width="wide"
      title="Emails"
      lead="Add the club’s own words to any email. The parts every email needs, such as amounts, dates and links, stay as they are."
      back={useBackToMore()}
    >
      <Loaded query={query} failed="We couldn’t load the emails" card lines={6}>
        {(data) => <Wordings letters={data} />}
      </Loaded>
    </PageShell>
  );
}

const nameOf = (letter: EmailKind) => `${EMAIL_KINDS[letter].group}: ${EMAIL_KINDS[letter].about}`;

function stateOf({ wording, problem }: WordedEmail): string {
  if (problem) return ' (not in use)';
  return WORDING_FIELDS.some((field) => wording[field]) ? ' (changed)' : '';
}

function Wordings({ letters }: { letters: WordedEmail[] }) {
  const [chosen, setChosen] = useState<EmailKind>('welcome');
  const bad = letters.filter(({ problem }) => problem !== null);
  const shown = letters.find(({ letter }) => letter === chosen);
  return (
    <>
      {bad.length > 0 && (
        <Notice tone="warning" title="Some of your words are not being used">
          {bad.map(({ letter }) => nameOf(letter)).join('; ')}. These emails go out in their default wording
          until you fix them.
        </Notice>
      )}
      <SelectField
        label="Email"
        options={letters.map((it) => ({ value: it.letter, label: nameOf(it.letter) + stateOf(it) }))}
        value={chosen}
        onChange={({ target }) => setChosen(target.value as EmailKind)}
      />
      {/* The form restarts from the text that a colleague saved. */}
      {shown && <WordingForm key={`${chosen} ${shown.version}`} letter={shown} />}
    </>
  );
}
