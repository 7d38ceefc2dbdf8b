import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ListedMember } from '../../../contract/staff/directory.ts';
import { type Direction, type MemberOrder, naturalDirection } from '../../../domain/staff/member-filter.ts';
import { classNames } from '../../ui/class-names.ts';
import { contactOf } from './contact-of.ts';
import { type ListColumn, StandingDot } from './list-columns.tsx';

/** The height of a row in pixels, until measured on screen. */
const ROW_HEIGHT = 65;
const OVERSCAN = 12;
/** The number of rows before the end at which the next page is requested. */
const AHEAD = 20;

export interface MemberTableProps {
  members: readonly ListedMember[];
  columns: readonly ListColumn[];
  /** For narrow tables: the standing is below the name, in place of the email. */
  few: boolean;
  /** All columns fit: spare width is distributed, so that the name is not far from the rest. */
  roomy: boolean;
  order: MemberOrder;
  direction: Direction;
  onOrder: (order: MemberOrder, direction: Direction) => void;
  openId: string | undefined;
  hasMore: boolean;
  onReachEnd: () => void;
}

export const rowLinkId = (memberId: string) => `member-${memberId}`;

/** Draws only the rows on screen; two empty rows take the space above and below. */
export function MemberTable(props: MemberTableProps) {
  const { members, columns, few, roomy, openId, hasMore } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [at, setAt] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, []);
  const rows = useWindowVirtualizer({
    count: members.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => members[index]?.id ?? index,
  });
  const visibleRows = rows.getVirtualItems();
  const last = visibleRows.at(-1)?.index ?? 0;
  // Scrolled or filtered away, the row that Tab reaches would not exist.
  const stop = visibleRows.some(({ index }) => index === at)
    ? at
    : visibleRows.find(({ end }) => end > (rows.scrollOffset ?? 0))?.index;
  const reachEnd = useEffectEvent(props.onReachEnd);
  useEffect(() => {
    if (hasMore && last >= members.length - AHEAD) reachEnd();
  }, [hasMore, last, members.length]);

  const above = (visibleRows[0]?.start ?? top) - top;
  const below = rows.getTotalSize() - ((visibleRows.at(-1)?.end ?? top) - top);
  return (
    <table
      className="w-full table-fixed border-collapse text-sm"
      aria-rowcount={hasMore ? -1 : members.length + 1}
    >
      <caption className="sr-only">Members</caption>
      <colgroup>
        <col className={roomy ? 'w-68' : undefined} />
        {columns.map(({ name, width }) => (
          <col key={name} className={width} />
        ))}
      </colgroup>
      <thead className="sticky top-0 z-10 bg-surface">
        <tr>
          <HeaderCell {...props} label="Name" by="name" />
          {columns.map((column) => (
            <HeaderCell
              key={column.name}
              {...props}
              label={column.label}
              by={column.order}
              end={column.isNumber}
            />
          ))}
        </tr>
      </thead>
      <tbody ref={body} data-members onKeyDown={moveBetweenRows}>
        {above > 0 && <Gap height={above} columns={columns.length + 1} />}
        {visibleRows.map(({ index, key }) => {
          const member = members[index];
          return (
            member && (
              <MemberTableRow
                key={key}
                {...{ member, columns, few, place: index }}
                tabStop={index === stop}
                onFocus={() => setAt(index)}
                isOpen={openId === member.id || openId === member.user_id}
              />
            )
          );
        })}
        {below > 0 && <Gap height={below} columns={columns.length + 1} />}
      </tbody>
    </table>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

/** The arrow keys move from row to row; the browser scrolls along. Tab reaches one row and leaves the table. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const row = (event.target as HTMLElement).closest('tr');
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling;
  const link = next?.querySelector<HTMLElement>('a');
  if (!link) return;
  event.preventDefault();
  link.focus();
}

export function enterMembers(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown') return;
  const link = document.querySelector<HTMLElement>('[data-members] a[tabindex="0"]');
  if (!link) return;
  event.preventDefault();
  link.focus();
}

const CELL = 'h-16 truncate border-line border-b px-3 first:pl-5 last:pr-5';

const listedName = ({ first_name, last_name, former }: ListedMember) =>
  former ? `${first_name} ${last_name}` : `${last_name}, ${first_name}`;

interface RowProps {
  member: ListedMember;
  few: boolean;
  columns: readonly ListColumn[];
  place: number;
  isOpen: boolean;
  /** Tab reaches this row, and no other. */
  tabStop: boolean;
  onFocus: () => void;
}

function MemberTableRow({ member, columns, few, place, isOpen, tabStop, onFocus }: RowProps) {
  return (
    <tr
      aria-rowindex={place + 2}
      className={classNames('relative hover:bg-surface-raised', isOpen && 'bg-accent-soft')}
    >
      <th scope="row" className={classNames(CELL, 'text-left font-semibold text-base')}>
        <Link
          id={rowLinkId(member.id)}
          to="/staff/members/$id"
          params={{ id: member.id }}
          search={true}
          hash={true}
          resetScroll={false}
          aria-current={isOpen ? 'true' : undefined}
          tabIndex={tabStop ? 0 : -1}
          onFocus={onFocus}
          className="block truncate after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
        >
          {listedName(member)}
        </Link>
        <span className="block truncate font-normal text-ink-muted text-sm">
          {few ? <StandingDot standing={member.standing} /> : contactOf(member)}
        </span>
      </th>
      {columns.map(({ name, cell, isNumber }) => (
        <td key={name} className={classNames(CELL, isNumber && 'text-right tabular-nums')}>
          {cell(member)}
        </td>
      ))}
    </tr>
  );
}

interface HeaderCellProps extends Pick<MemberTableProps, 'order' | 'direction' | 'onOrder'> {
  label: string;
  by?: MemberOrder | undefined;
  end?: boolean | undefined;
}

/** The first press sorts the list by this column, the second reverses the order. */
function HeaderCell({ label, by, end, order, direction, onOrder }: HeaderCellProps) {
  const style = classNames(
    'h-11 border-line border-b px-3 font-semibold text-ink-muted text-xs first:pl-5 last:pr-5',
    end ? 'text-right' : 'text-left',
  );
  if (!by) {
    return (
      <th scope="col" className={style}>
        {label}
      </th>
    );
  }
  const sorted = order === by;
  const turned = direction === 'asc' ? 'desc' : 'asc';
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className={style}
    >
      <button
        type="button"
        onClick={() => onOrder(by, sorted ? turned : naturalDirection(by))}
        className={classNames('-mx-2 inline-flex min-h-11 items-center gap-1 px-2', sorted && 'text-ink')}
      >
        {label}
        {sorted && <Arrow size={14} />}
      </button>
    </th>
  );
}
