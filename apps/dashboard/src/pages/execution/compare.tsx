import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, call } from '../../data/api.ts';
import { type Execution, executionWithData } from '../../data/executions.ts';
import { type RunData, runDataOf } from '../../data/run-data.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { diffJson, maxDifferences } from '../../ui/diff-json.ts';
import { SelectField } from '../../ui/fields.tsx';
import { counted, formatDuration, formatInstant } from '../../ui/format.ts';
import { Empty, ErrorState, Loaded } from '../../ui/states.tsx';
import { type Status, StatusBadge, statusText } from '../../ui/status-badge.tsx';
import { type NodeState, nodeStates } from './node-states.ts';

interface CompareProps {
  execution: Execution;
  /** ID of the other execution. */
  other: string | undefined;
  onChoose(id: string): void;
}

/** Timing and data of two executions of a workflow, node by node. */
export function Compare({ execution, other, onChoose }: CompareProps) {
  const { workflowId } = execution;
  const list = useQuery({
    queryKey: ['executions', 'of', workflowId],
    queryFn: () => call(api.GET('/executions', { params: { query: { workflowId, limit: 50 } } })),
  });
  const options = list.data?.data
    .filter(({ id }) => id !== execution.id)
    .map(({ id, status, startedAt }) => ({
      value: id,
      label: `${id} · ${statusText(status)} · ${startedAt === null ? 'not started' : formatInstant(Date.parse(startedAt))}`,
    }));
  const isListed = other === undefined || options?.some(({ value }) => value === other);
  const hint = options?.length === 0 ? 'No other execution of this workflow' : 'Choose an execution';
  return (
    <div className="compare">
      {list.error && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      <SelectField
        label={`Compare execution ${execution.id} with`}
        value={other ?? ''}
        onChange={onChoose}
        options={[
          { value: '', label: list.isPending ? 'Loading …' : hint, disabled: true },
          ...(isListed ? [] : [{ value: other, label: other }]),
          ...(options ?? []),
        ]}
      />
      {other ? <Comparison execution={execution} other={other} /> : <Empty title="Choose another execution of this workflow" />}
    </div>
  );
}

function Comparison({ execution, other }: { execution: Execution; other: string }) {
  const query = useQuery({ ...executionWithData(other), staleTime: 30_000 });
  return <Loaded query={query}>{(right) => <Nodes left={execution} right={right} />}</Loaded>;
}

interface Row {
  name: string;
  left: NodeState | undefined;
  right: NodeState | undefined;
  /** Values that differ between the outputs. */
  differences: number;
}

const none: ReadonlySet<string> = new Set();
const outputOf = (runs: RunData, name: string) =>
  runs[name]?.at(-1)?.data?.['main']?.map((items) => items?.map(({ json }) => json));

function Nodes({ left, right }: { left: Execution; right: Execution }) {
  const [chosen, setChosen] = useState<string>();
  const [a, b] = [runDataOf(left), runDataOf(right)];
  const rows = useMemo<Row[]>(() => {
    const [statesA, statesB] = [nodeStates(a, none), nodeStates(b, none)];
    return [...new Set([...statesA.keys(), ...statesB.keys()])].map((name) => ({
      name,
      left: statesA.get(name),
      right: statesB.get(name),
      differences: diffJson(outputOf(a, name), outputOf(b, name)).length,
    }));
  }, [a, b]);
  const columns = useMemo(() => columnsOf(left.id, right.id), [left.id, right.id]);
  const name = chosen ?? rows.find(({ differences }) => differences > 0)?.name;
  return (
    <>
      <div className="compare-table">
        <DataTable
          label="Nodes of both executions"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.name}
          selected={name}
          onOpen={(row) => setChosen(row.name)}
          rowHeight={36}
          empty={<Empty title="No node has run" />}
        />
      </div>
      {name !== undefined && (
        <Differences name={name} left={outputOf(a, name)} right={outputOf(b, name)} ids={[left.id, right.id]} />
      )}
    </>
  );
}

function columnsOf(left: string, right: string): Column<Row>[] {
  const stateColumn = (id: string, side: 'left' | 'right'): Column<Row> => ({
    id: side,
    header: id,
    width: 'minmax(120px, 1.4fr)',
    cell: (row) => <Side state={row[side]} />,
  });
  return [
    { id: 'node', header: 'Node', width: 'minmax(100px, 1.5fr)', cell: ({ name }) => <strong>{name}</strong> },
    stateColumn(left, 'left'),
    stateColumn(right, 'right'),
    {
      id: 'delta',
      header: 'Time',
      width: '80px',
      align: 'end',
      wideOnly: true,
      sortBy: deltaOf,
      cell: (row) => <Delta ms={deltaOf(row)} />,
    },
    {
      id: 'data',
      header: 'Output',
      width: '92px',
      cell: ({ differences }) =>
        differences === 0 ? (
          <span className="muted">equal</span>
        ) : (
          `${differences === maxDifferences ? `${differences}+` : differences} differ`
        ),
    },
  ];
}

const deltaOf = ({ left, right }: Row) => (right?.durationMs ?? 0) - (left?.durationMs ?? 0);

function Delta({ ms }: { ms: number }) {
  if (ms === 0) return <span className="muted">±0</span>;
  return (
    <span className={ms > 0 ? 'slower' : 'faster'}>
      {ms > 0 ? '+' : '−'}
      {formatDuration(Math.abs(ms))}
    </span>
  );
}

function Side({ state }: { state: NodeState | undefined }) {
  if (!state) return <span className="muted">did not run</span>;
  return (
    <span className="row">
      <StatusBadge status={state.status as Status} compact />
      <span className="muted">
        {formatDuration(state.durationMs)} · {counted(state.items, 'item')}
      </span>
    </span>
  );
}

function Differences({ name, left, right, ids }: { name: string; left: unknown; right: unknown; ids: [string, string] }) {
  const differences = diffJson(left, right);
  if (differences.length === 0) return <p className="compare-note muted">The output of {name} is the same in both.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
    <section className="differences" tabIndex={0} aria-label={`Differences of ${name}`}>
      <table>
        <caption>
          Output of <strong>{name}</strong>
        </caption>
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col">{ids[0]}</th>
            <th scope="col">{ids[1]}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <tr key={difference.path}>
              <td className="mono">{difference.path}</td>
              <td className="mono was">{'left' in difference ? JSON.stringify(difference.left) : ''}</td>
              <td className="mono is">{'right' in difference ? JSON.stringify(difference.right) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
