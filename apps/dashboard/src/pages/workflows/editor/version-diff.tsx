import { structuredPatch } from 'diff';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../../data/api.ts';
import { edgeId, edgesOf } from '../../../data/edges.ts';
import { useNodeTypes } from '../../../data/node-types.ts';
import { Empty } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { diffGraphs, type GraphDiff, type NodeChange, toText } from '../model/diff.ts';
import { toConnections } from '../model/graph.ts';
import { Canvas, type NodeMark } from './canvas.tsx';
import './editor.css';

type Content = Schemas['WorkflowVersionContent'];

interface ChangesProps {
  /** Absent: there is no earlier version. */
  before: Content | undefined;
  after: Content;
}

interface VersionDiffProps extends ChangesProps {
  /** Names both versions. */
  title: string;
}

const tones: Record<NodeChange, string> = {
  added: 'success',
  removed: 'error',
  changed: 'waiting',
  moved: 'neutral',
  same: 'none',
};

/** Shows the differences between two versions, as a graph and as text. */
export function VersionDiff({ before, after, title }: VersionDiffProps) {
  const [tab, setTab] = useState('graph');
  return (
    <section className="version-diff" aria-label={title}>
      <h2 className="truncate">{title}</h2>
      <Tabs
        label="Changes"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'graph', label: 'Graph', content: <GraphChanges before={before} after={after} /> },
          { value: 'text', label: 'Text', content: <TextChanges before={before} after={after} /> },
        ]}
      />
    </section>
  );
}

const nothing = { nodes: [], connections: {} };

function GraphChanges({ before, after }: ChangesProps) {
  const { types } = useNodeTypes();
  const [selected, select] = useState<readonly string[]>([]);
  const diff = useMemo(() => diffGraphs(before ?? after, after), [before, after]);
  const merged = useMemo(() => mergedGraph(before ?? nothing, after, diff), [before, after, diff]);
  const marks = useMemo(() => {
    const changed = [...diff.nodes].filter(([, { change }]) => change !== 'same');
    return new Map<string, NodeMark>(changed.map(([name, { change }]) => [name, { tone: tones[change], text: change }]));
  }, [diff]);
  const edgeTones = useMemo(
    () =>
      new Map([
        ...[...diff.addedEdges].map((key) => [key, 'success'] as const),
        ...[...diff.removedEdges].map((key) => [key, 'error'] as const),
      ]),
    [diff],
  );
  return (
    <div className="graph-changes">
      <div className="canvas">
        <Canvas draft={merged} types={types} selected={selected} onSelect={select} marks={marks} edgeTones={edgeTones} />
      </div>
      {before ? <ChangeList diff={diff} only={selected[0]} /> : <Empty title="There is no earlier version" />}
    </div>
  );
}

/** Both versions in one graph: removed nodes remain visible. */
function mergedGraph(before: Pick<Content, 'nodes' | 'connections'>, after: Content, diff: GraphDiff) {
  const removed = edgesOf(before.connections).filter((edge) => diff.removedEdges.has(edgeId(edge)));
  const connections = toConnections([...edgesOf(after.connections), ...removed]);
  return { nodes: [...diff.nodes.values()].map(({ node }) => node), connections, pinData: {} };
}

function ChangeList({ diff, only }: { diff: GraphDiff; only: string | undefined }) {
  const changed = [...diff.nodes].filter(([name, { change }]) => change !== 'same' && (only === undefined || name === only));
  if (changed.length === 0) {
    return <Empty title={diff.addedEdges.size + diff.removedEdges.size > 0 ? 'Only connections changed' : 'No node changed'} />;
  }
  return (
    <ul className="change-list">
      {changed.map(([name, { change, fields }]) => (
        <li key={name} data-tone={tones[change]}>
          <h3>
            <span className="change-kind">{change}</span> {name}
          </h3>
          {fields
            .filter(({ path }) => !path.startsWith('position'))
            .map(({ path, left, right }) => (
              <div key={path} className="field-change">
                <code>{path}</code>
                {left !== undefined && <pre className="was">{asText(left)}</pre>}
                {right !== undefined && <pre className="is">{asText(right)}</pre>}
              </div>
            ))}
        </li>
      ))}
    </ul>
  );
}

const asText = (value: unknown) => (typeof value === 'string' ? value : toText(value));

function TextChanges({ before, after }: ChangesProps) {
  const hunks = useMemo(() => {
    const [old, now] = [before, after].map((content) => (content ? toText(comparable(content)) : ''));
    return structuredPatch('before', 'after', old ?? '', now ?? '', '', '', { context: 4 }).hunks;
  }, [before, after]);
  if (hunks.length === 0) return <Empty title="The versions have the same content" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
    <div className="text-diff" tabIndex={0} role="region" aria-label="Changes as text">
      {hunks.map(({ oldStart, newStart, lines }) => (
        <pre key={`${oldStart} ${newStart}`}>
          <span className="hunk">
            line {oldStart} → line {newStart}
          </span>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <span key={index} className={line.startsWith('+') ? 'is' : line.startsWith('-') ? 'was' : undefined}>
              {line}
            </span>
          ))}
        </pre>
      ))}
    </div>
  );
}

function comparable({ workflowName, nodes, connections, settings, pinData }: Content) {
  return { name: workflowName, nodes, connections, settings, pinData };
}
