import { X } from 'lucide-react';
import { type Edge, edgeId, edgesOf } from '../../../data/edges.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/fields.tsx';
import { connect, type Draft, disconnect, type GraphNode } from '../model/graph.ts';
import { nameOfConnection, portsOf } from '../model/ports.ts';
import type { Edit } from './use-draft.ts';

interface NodeConnectionsProps {
  draft: Draft;
  node: GraphNode;
  types: ReadonlyMap<string, NodeType>;
  /** Absent: the connections cannot be changed. */
  edit: Edit | undefined;
  onSelect(name: string): void;
}

/** Shows a node's connections and adds new ones, as an alternative to dragging. */
export function NodeConnections({ draft, node, types, edit, onSelect }: NodeConnectionsProps) {
  const edges = edgesOf(draft.connections);
  const incoming = edges.filter(({ target }) => target === node.name);
  const outgoing = edges.filter(({ source }) => source === node.name);
  const ports = (one: GraphNode) => portsOf(one, types.get(one.type));
  const { outputs, subs, supplies } = ports(node);
  const targets = draft.nodes.flatMap((one) =>
    ports(one).inputs.map((_port, input) => ({
      target: one.name,
      input,
      label: ports(one).inputs.length > 1 ? `${one.name}, input ${input + 1}` : one.name,
    })),
  );
  const attach = (source: string, type: string, target: string) =>
    edit?.((before) => connect(before, { source, type, output: 0, target, input: 0 }));
  const row = (edge: Edge, other: string, text: string) => (
    <li key={edgeId(edge)}>
      <button type="button" className="link-button grow" onClick={() => onSelect(other)}>
        {other}
      </button>
      <span className="muted">{text}</span>
      {edit && (
        <IconButton label={`Disconnect ${other}`} onClick={() => edit((before) => disconnect(before, [edge]))}>
          <X size={14} />
        </IconButton>
      )}
    </li>
  );
  return (
    <div className="inspector-body">
      <h2>From</h2>
      <ul className="connection-list">
        {incoming.map((edge) =>
          row(
            edge,
            edge.source,
            edge.type === 'main' ? `output ${edge.output + 1} → input ${edge.input + 1}` : nameOfConnection(edge.type),
          ),
        )}
        {incoming.length === 0 && <li className="muted">nothing</li>}
      </ul>
      {outputs.map(({ label }, output) => {
        const title = label ?? (outputs.length > 1 ? `output ${output + 1}` : '');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: outputs are known by their index
          <div className="stack-small" key={output}>
            <h2>To{title && `, from ${title}`}</h2>
            <ul className="connection-list">
              {outgoing
                .filter((edge) => edge.type === 'main' && edge.output === output)
                .map((edge) => row(edge, edge.target, `input ${edge.input + 1}`))}
            </ul>
            <Select
              aria-label={`Connect${title && ` ${title}`} to`}
              disabled={!edit}
              value=""
              options={[
                { value: '', label: 'Connect to …' },
                ...targets.map(({ label: name }, index) => ({ value: String(index), label: name })),
              ]}
              onChange={(index) => {
                const to = targets[Number(index)];
                if (index === '' || !to) return;
                const edge = { source: node.name, type: 'main', output, target: to.target, input: to.input };
                edit?.((before) => connect(before, edge));
              }}
            />
          </div>
        );
      })}
      {subs.map(({ type, label }) => (
        <SubChoice
          key={type}
          label={`Attach: ${label}`}
          disabled={!edit}
          candidates={draft.nodes.filter((one) => one !== node && ports(one).supplies.includes(type))}
          onChoose={(name) => attach(name, type, node.name)}
        />
      ))}
      {supplies.map((type) => (
        <div className="stack-small" key={type}>
          <h2>Serves, as {nameOfConnection(type)}</h2>
          <ul className="connection-list">
            {outgoing.filter((edge) => edge.type === type).map((edge) => row(edge, edge.target, ''))}
          </ul>
          <SubChoice
            label="Attach to"
            disabled={!edit}
            candidates={draft.nodes.filter((one) => one !== node && ports(one).subs.some((sub) => sub.type === type))}
            onChoose={(name) => attach(node.name, type, name)}
          />
        </div>
      ))}
    </div>
  );
}

interface SubChoiceProps {
  label: string;
  disabled: boolean;
  candidates: readonly GraphNode[];
  onChoose(name: string): void;
}

/** Attaches a sub-node that exists. */
function SubChoice({ label, disabled, candidates, onChoose }: SubChoiceProps) {
  return (
    <Select
      aria-label={label}
      disabled={disabled}
      value=""
      options={[{ value: '', label: `${label} …` }, ...candidates.map(({ name }) => ({ value: name, label: name }))]}
      onChange={(name) => name !== '' && onChoose(name)}
    />
  );
}
