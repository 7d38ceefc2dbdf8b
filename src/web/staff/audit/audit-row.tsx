import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../contract/staff/audit.ts';
import { formatAmount } from '../../../domain/money.ts';
import { UNKNOWN_DEVICE } from '../../../domain/staff/device-name.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { venueDateTime } from '../../format/dates.ts';
import { AUDIT_LABELS, auditDetail } from './audit-text.ts';

/** One entry: stacked on a phone, four columns in an office. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const detail = auditDetail(entry, {
    money: (cents) => formatAmount(cents, site.currency),
    tierLabel: useTierLabel(),
  });
  const { actor, subject } = entry;
  return (
    <li className="grid gap-x-6 gap-y-1 px-5 py-3 sm:px-7 lg:grid-cols-[12.5rem_minmax(0,1.6fr)_minmax(0,1fr)_minmax(0,1fr)] lg:items-baseline">
      <time dateTime={entry.at} className="text-ink-muted text-sm tabular-nums">
        {venueDateTime(entry.at, site.time_zone)}
      </time>
      <p className="min-w-0 break-words">
        <span className="font-semibold">{AUDIT_LABELS[entry.act]}</span>
        {detail && (
          <span className="text-ink-muted lg:block">
            <span className="lg:hidden"> · </span>
            {detail}
          </span>
        )}
      </p>
      <p className="min-w-0 break-words text-sm lg:text-base">
        <span className="text-ink-muted lg:sr-only">By </span>
        <Link
          to="/staff/audit"
          search={(filter) => ({
            ...filter,
            who: actor?.user_id ?? (entry.device === 'Automatic' ? 'automatic' : 'command_line'),
          })}
          className="link"
        >
          {actor ? nameOf(actor) : entry.device}
        </Link>
        {actor && entry.device !== UNKNOWN_DEVICE && (
          <span className="text-ink-muted text-sm lg:block"> on {entry.device}</span>
        )}
      </p>
      {subject && (
        <p className="min-w-0 break-words text-sm lg:text-base">
          <span className="text-ink-muted lg:sr-only">To </span>
          <Link
            to="/staff/audit"
            search={(filter) => ({ ...filter, whom: subject.user_id })}
            className="link"
          >
            {nameOf(subject)}
          </Link>
        </p>
      )}
    </li>
  );
}

/** Entries outlive deleted accounts. */
export const nameOf = ({ name }: { name: string | null }): string => name || 'Deleted account';
