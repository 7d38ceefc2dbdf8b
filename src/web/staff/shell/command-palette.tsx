import { Autocomplete } from '@base-ui/react/autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import CircleUserRound from 'lucide-react/icons/circle-user-round';
import Search from 'lucide-react/icons/search';
import { useLayoutEffect, useRef, useState } from 'react';
import { api, orpc } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { classNames } from '../../ui/class-names.ts';
import { openModal } from '../../ui/modal-stack.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useLogged } from '../../ui/use-logged.ts';
import { contactOf } from '../members/contact-of.ts';
import { findPages, type StaffPage } from './staff-pages.ts';

const MEMBERS_SHOWN = 8;
const MAX_LENGTH = 100;

interface Command {
  id: string;
  label: string;
  detail: string;
  icon: LucideIcon;
  run(): void;
}
interface Group {
  value: string;
  items: Command[];
}

export function CommandPalette({ pages, onClose }: { pages: StaffPage[]; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => (ref.current ? openModal(ref.current) : undefined), []);
  const [text, setText] = useState('');
  const { groups, problem } = useCommands(text, pages, onClose);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users press Escape, which arrives as cancel
    <dialog
      ref={ref}
      aria-label="Find a member or a page"
      className="modal"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className="mt-[12dvh] flex max-h-[70dvh] w-[calc(100%-2rem)] max-w-xl animate-rise flex-col self-start overflow-hidden rounded-lg border border-line bg-surface-raised shadow-raised">
        <Autocomplete.Root
          inline
          open
          items={groups}
          filter={null}
          autoHighlight="always"
          keepHighlight
          value={text}
          onValueChange={(value) => setText(value.slice(0, MAX_LENGTH))}
          itemToStringValue={(command: Command) => command.label}
        >
          <div className="flex items-center gap-3 border-line border-b px-4">
            <Search size={20} className="shrink-0 text-ink-muted" />
            <Autocomplete.Input
              aria-label="Find a member or a page"
              placeholder="Find a member or a page"
              autoCapitalize="none"
              spellCheck={false}
              className="min-h-14 w-full bg-transparent text-lg outline-none placeholder:text-ink-muted"
            />
            <kbd>Esc</kbd>
          </div>
          <Autocomplete.Empty>
            <p className="px-4 py-6 text-ink-muted empty:hidden">{problem}</p>
          </Autocomplete.Empty>
          <Autocomplete.List className="overflow-y-auto overscroll-contain p-2">
            {(group: Group) => (
              <Autocomplete.Group key={group.value} items={group.items} className="mb-2">
                <Autocomplete.GroupLabel className="eyebrow px-3 py-1.5 text-brass-text">
                  {group.value}
                </Autocomplete.GroupLabel>
                <Autocomplete.Collection>
                  {(command: Command) => <Row key={command.id} command={command} />}
                </Autocomplete.Collection>
              </Autocomplete.Group>
            )}
          </Autocomplete.List>
        </Autocomplete.Root>
      </div>
    </dialog>
  );
}

function Row({ command }: { command: Command }) {
  const { icon: Sign, label, detail, run } = command;
  return (
    <Autocomplete.Item
      value={command}
      onClick={run}
      className={classNames(
        'flex min-h-11 cursor-pointer scroll-m-2 items-center gap-3 rounded-md px-3 py-1.5',
        'data-highlighted:bg-accent-soft data-highlighted:text-accent-text',
      )}
    >
      <Sign size={20} strokeWidth={1.75} className="shrink-0" />
      <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
      <span className="min-w-0 max-w-1/2 truncate text-ink-muted text-sm">{detail}</span>
    </Autocomplete.Item>
  );
}

/** `problem` says why there is nothing; it is empty while members are searched. */
function useCommands(
  text: string,
  staffPages: StaffPage[],
  onClose: () => void,
): { groups: Group[]; problem: string } {
  const navigate = useNavigate();
  const search = useDebounced(text.trim());
  const { data, error, isFetching, isPaused } = useQuery({
    queryKey: [...orpc.directory.key(), 'palette', search],
    queryFn: ({ signal }) => api.directory.list({ search }, inTime(signal)),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const pages = findPages(staffPages, text).map((page) => ({
    id: page.to,
    label: page.label,
    detail: page.detail,
    icon: page.icon,
    run: () => {
      onClose();
      void navigate({ to: page.to });
    },
  }));
  const matches = search === '' || text.trim() === '' ? [] : (data?.members ?? []);
  const members = matches.slice(0, MEMBERS_SHOWN).map((member) => ({
    id: member.id,
    label: `${member.first_name} ${member.last_name}`,
    detail: contactOf(member),
    icon: CircleUserRound,
    run: () => {
      onClose();
      void navigate({ to: '/staff/members/$id', params: { id: member.id } });
    },
  }));
  const groups = [
    { value: 'Members', items: members },
    { value: 'Pages', items: pages },
  ].filter(({ items }) => items.length > 0);
  const searches = isFetching || search !== text.trim();
  const problem = error || isPaused ? 'We couldn’t search the members' : searches ? '' : 'Nothing found';
  useLogged('Searching members', error);
  return { groups, problem };
}
