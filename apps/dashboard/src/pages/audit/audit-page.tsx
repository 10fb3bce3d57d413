import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { loadMore } from '../../data/load-more.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { type AuditFilter, parseFilter } from './audit-filter.ts';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { type AuditEntry, useAuditEntries } from './audit-queries.ts';
import { EntryDialog } from './entry-dialog.tsx';

const tones: Record<AuditEntry['outcome'], string> = { success: 'success', denied: 'waiting', failed: 'error' };

/** The audit log, for owners and admins. Its filter is in the URL. */
export function AuditPage() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const filterText = JSON.stringify(parseFilter(search));
  const filter = useMemo<AuditFilter>(() => JSON.parse(filterText), [filterText]);
  const entries = useAuditEntries(filter);
  const rows = useMemo(() => entries.data?.pages.flatMap(({ data }) => data) ?? [], [entries.data]);
  const [open, setOpen] = useState<AuditEntry>();
  const choose = (next: AuditFilter) => {
    setOpen(undefined);
    void navigate({ to: '/audit', search: { ...next } });
  };
  return (
    <Page title="Audit log" fill>
      {/* The key resets its text fields when the URL changes. */}
      <AuditFilterBar key={filterText} filter={filter} onChange={choose} />
      <Loaded query={entries} rows={12}>
        {() => (
          <DataTable<AuditEntry>
            label="Audit log"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            onOpen={(entry) => setOpen(entry)}
            onEnd={() => loadMore(entries)}
            empty={<Empty icon={<ScrollText size={20} />} title="No entry matches the filter" />}
          />
        )}
      </Loaded>
      {open && <EntryDialog entry={open} onClose={() => setOpen(undefined)} onFilter={choose} />}
    </Page>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', header: 'When', width: '90px', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'action',
    header: 'Action',
    width: 'minmax(92px, 1fr)',
    cell: ({ action }) => <strong className="truncate">{action}</strong>,
  },
  { id: 'outcome', header: 'Outcome', width: '72px', cell: ({ outcome }) => <Badge tone={tones[outcome]}>{outcome}</Badge> },
  {
    id: 'object',
    header: 'Object',
    width: 'minmax(116px, 1.4fr)',
    wideOnly: true,
    cell: ({ objectName, objectId, objectType }) => (
      <span className="truncate">{objectName ?? objectId ?? <span className="muted">{objectType ?? '–'}</span>}</span>
    ),
  },
  {
    id: 'actor',
    header: 'Actor',
    width: 'minmax(84px, 1.4fr)',
    cell: ({ actor, userId }) => <span className="truncate">{actor ?? userId ?? 'unknown'}</span>,
  },
  {
    id: 'ip',
    header: 'Address',
    width: '130px',
    wideOnly: true,
    cell: ({ ip }) => <code className="muted truncate">{ip ?? '–'}</code>,
  },
];
