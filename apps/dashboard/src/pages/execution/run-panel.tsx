import { CircleAlert, Hourglass, Info, MousePointerClick, RotateCw, TriangleAlert } from 'lucide-react';
import type { Schemas } from '../../data/api.ts';
import { type Execution, hasEnded, type NodeRun } from '../../data/executions.ts';
import { outputLabels } from '../../data/node-type-facts.ts';
import { type Branch, branchesOf, type RunData } from '../../data/run-data.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/fields.tsx';
import { exactly, formatDuration, formatInstant } from '../../ui/format.ts';
import { ItemView } from '../../ui/item-view.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { NodeIcon } from '../../ui/node-icon.tsx';
import { Empty } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { failedTriesOf } from './failed-tries.ts';
import { inputsOf } from './node-states.ts';
import { useRetry } from './use-retry.ts';

interface RunPanelProps {
  execution: Execution;
  runData: RunData;
  node: Schemas['Node'] | undefined;
  name: string | undefined;
  run: number;
  tab: string | undefined;
  onChange(change: { run?: number; tab?: string }): void;
}

/** One run of one node: its data, error, and hints. */
export function RunPanel(props: RunPanelProps) {
  const { name, run, runData } = props;
  if (name === undefined) {
    return (
      <Empty icon={<MousePointerClick size={20} />} title="Choose a node">
        Its input, output, and errors appear here.
      </Empty>
    );
  }
  const runs = runData[name] ?? [];
  const current = runs[run] ?? runs.at(-1);
  const { waitingRun } = props.execution;
  return (
    <section className="run-panel" aria-label={`Node ${name}`}>
      <RunHeader {...props} name={name} runs={runs} current={current} />
      {current ? (
        <RunTabs key={`${name}/${run}`} {...props} current={current} />
      ) : waitingRun?.node === name ? (
        <Empty icon={<Hourglass size={20} />} title="This node waits">
          It waits for a time, a request, or another workflow. The execution continues by itself.
        </Empty>
      ) : (
        <Empty title="This node did not run">No items reached it, or the execution ended first.</Empty>
      )}
    </section>
  );
}

interface RunHeaderProps extends RunPanelProps {
  name: string;
  runs: readonly NodeRun[];
  current: NodeRun | undefined;
}

function RunHeader({ execution, node, name, runs, run, current, onChange }: RunHeaderProps) {
  const retry = useRetry(execution.id);
  return (
    <header className="run-header">
      <span className="flow-icon">
        <NodeIcon type={node?.type ?? ''} size={17} />
      </span>
      <div className="grow">
        <h2 className="truncate">{name}</h2>
        <p className="muted small truncate">
          {node?.type}
          {current && (
            <span title={formatInstant(current.startTime)}>
              {node && ' · '}
              {formatDuration(current.executionTime)}
              {failedTriesOf(current).length > 0 && ` · ${failedTriesOf(current).length + 1} tries`}
            </span>
          )}
        </p>
      </div>
      {current && <StatusBadge status={current.executionStatus} />}
      {runs.length > 1 && (
        <Select
          aria-label="Run of the node"
          value={String(Math.min(run, runs.length - 1))}
          onChange={(value) => onChange({ run: Number(value) })}
          options={runs.map((_, index) => ({ value: String(index), label: `Run ${index + 1} of ${runs.length}` }))}
        />
      )}
      {/* Recorded calls of a model have a name that no node has. */}
      {node && current && hasEnded(execution) && execution.status !== 'success' && (
        <Button icon={<RotateCw size={14} />} busy={retry.isBusy} onClick={() => retry.run({ from: name })}>
          Retry from here
        </Button>
      )}
    </header>
  );
}

function RunTabs({ runData, node, tab, current, onChange }: RunPanelProps & { current: NodeRun }) {
  const { error, hints = [], metadata } = current;
  const inputs = current.inputOverride
    ? branchesOf(current.inputOverride)
    : inputsOf(current, runData).map(({ from, output, items }) => ({
        label: output === 0 ? from : `${from}, output ${output}`,
        items,
      }));
  const outputs = branchesOf(current.data, outputLabels(node?.type ?? ''));
  const tabs = [
    ...(error ? [{ value: 'error', label: 'Error', content: <RunError error={error} /> }] : []),
    { value: 'output', label: `Output${total(outputs)}`, content: <ItemView branches={outputs} label="Output" /> },
    { value: 'input', label: `Input${total(inputs)}`, content: <ItemView branches={inputs} label="Input" /> },
    ...(metadata && Object.keys(metadata).length > 0
      ? [{ value: 'metadata', label: 'Metadata', content: <JsonTree value={metadata} label="Metadata" /> }]
      : []),
  ];
  const value = tabs.some((entry) => entry.value === tab) ? (tab as string) : (tabs[0]?.value ?? 'output');
  return (
    <>
      {hints.map(({ message, type = 'info' }) => (
        <p key={message} className="hint" data-tone={type === 'info' ? 'running' : type === 'warning' ? 'waiting' : 'error'}>
          {type === 'info' ? <Info size={14} /> : <TriangleAlert size={14} />}
          {message}
        </p>
      ))}
      <Tabs label="Data of the run" tabs={tabs} value={value} onChange={(next) => onChange({ tab: next })} />
    </>
  );
}

function total(branches: readonly Branch[]): string {
  return ` ${exactly(branches.reduce((sum, { items }) => sum + items.length, 0))}`;
}

function RunError({ error }: { error: Schemas['ErrorRecord'] }) {
  return (
    <div className="run-error">
      <h3 className="row">
        <CircleAlert size={15} />
        {error.name ?? 'Error'}
      </h3>
      <p className="error-message">{error.message}</p>
      {error.description && <p className="muted">{error.description}</p>}
      <JsonTree value={error} label="Error record" />
    </div>
  );
}
