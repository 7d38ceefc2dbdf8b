import handbook from 'virtual:handbook';
import BookOpen from 'lucide-react/icons/book-open';
import { useMemo, useState } from 'react';
import { readTablet } from '../../api/device/tablet.ts';
import { readOfflineStaff } from '../../api/offline-staff.ts';
import { site } from '../../api/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { RowLink, RowList } from '../../ui/row-link.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { excerptOf, findHelp, sectionsOf } from './find-help.ts';

/** The groups of the handbook, in its order where staff work; elsewhere the last one, which is for members, comes first. */
function groupsForReader() {
  const worksHere = readTablet() !== null || readOfflineStaff(Date.now()) !== null;
  return worksHere ? handbook : [...handbook.slice(-1), ...handbook.slice(0, -1)];
}

export default function HelpPage() {
  const [text, setText] = useState('');
  const [groups] = useState(groupsForReader);
  const typed = text.trim();
  return (
    <PageShell title="Help" back={<BackLink to="/">Back to {site.club_name}</BackLink>}>
      <SearchField label="Search the handbook" text={text} onText={setText} />
      {typed ? (
        <Found groups={groups} typed={typed} />
      ) : (
        groups.map(({ title, pages }) => (
          <section key={title}>
            <h2 className="mb-3 text-xl">{title}</h2>
            <RowList label={title}>
              {pages.map((page) => (
                <RowLink
                  key={page.slug}
                  to="/help/$page"
                  params={{ page: page.slug }}
                  icon={BookOpen}
                  title={page.title}
                  detail={page.detail}
                />
              ))}
            </RowList>
          </section>
        ))
      )}
    </PageShell>
  );
}

function Found({ groups, typed }: { groups: typeof handbook; typed: string }) {
  const sections = useMemo(() => sectionsOf(groups), [groups]);
  const results = findHelp(sections, typed);
  return (
    <section aria-live="polite">
      <h2 className="mb-3 text-xl">Found</h2>
      {results.length === 0 ? (
        <EmptyState title="Nothing found" text="Try another word, or fewer." />
      ) : (
        <RowList label="Found">
          {results.map(({ slug, anchor, title, page, text }) => (
            <RowLink
              key={`${slug}#${anchor}`}
              to="/help/$page"
              params={{ page: slug }}
              hash={anchor}
              icon={BookOpen}
              title={title === page ? title : `${title} · ${page}`}
              detail={excerptOf(text, typed)}
            />
          ))}
        </RowList>
      )}
    </section>
  );
}
