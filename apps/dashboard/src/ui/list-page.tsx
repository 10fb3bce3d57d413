import type { RowData } from '@tanstack/react-table';
import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from './data-table.tsx';
import { exactly } from './format.ts';
import { Page } from './page.tsx';
import { Loaded } from './states.tsx';

type TableProps<T extends RowData> = ComponentProps<typeof DataTable<T>>;

interface ListPageProps<T extends RowData>
  extends Pick<TableProps<T>, 'columns' | 'rowKey' | 'rowHeight' | 'onOpen' | 'empty'> {
  title: string;
  /** Reads the whole list. */
  query: { data: T[] | undefined; error: unknown; failureReason?: unknown; refetch(): unknown };
  /** Which rows are shown; default: all. */
  filter?(row: T): boolean;
  /** Button that creates a row. */
  action?: ReactNode;
  /** Search and filters. */
  toolbar?: ReactNode;
  /** Dialogs. */
  children?: ReactNode;
}

/** A page with the rows of a list that is read as a whole. */
export function ListPage<T extends RowData>(props: ListPageProps<T>) {
  const { title, query, filter = () => true, action, toolbar, children, ...table } = props;
  const rows = query.data?.filter(filter);
  const count = rows && <span className="muted">{exactly(rows.length)}</span>;
  return (
    <Page title={title} after={count} actions={action} fill>
      {toolbar && <div className="toolbar">{toolbar}</div>}
      <Loaded query={query} rows={8}>
        {() => <DataTable label={title} rows={rows ?? []} {...table} />}
      </Loaded>
      {children}
    </Page>
  );
}
