import { Play, X } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import type { NodeType } from '../../../data/node-types.ts';
import type { RunData } from '../../../data/run-data.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { NodeIcon } from '../../../ui/node-icon.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { NodeForm } from '../form/node-form.tsx';
import { type Changes, type Draft, type GraphNode, patchNode } from '../model/graph.ts';
import { nameProblem, renameNode } from '../model/rename.ts';
import { NodeConnections } from './node-connections.tsx';
import { NodeData } from './node-data.tsx';
import { NodeSettings } from './node-settings.tsx';
import type { Edit } from './use-draft.ts';

interface InspectorProps {
  ref: Ref<HTMLElement>;
  draft: Draft;
  node: GraphNode;
  types: ReadonlyMap<string, NodeType>;
  runData: RunData;
  edit: Edit;
  /** False: fields are disabled. */
  canEdit: boolean;
  onSelect(name: string): void;
  onClose(): void;
  onRunTo: ((name: string) => void) | undefined;
}

/** Everything about the chosen node. */
export function Inspector(props: InspectorProps) {
  const { ref, draft, node, types, runData, edit, canEdit, onSelect, onClose, onRunTo } = props;
  const [tab, setTab] = useState('parameters');
  const patch = (change: Changes<GraphNode>, key: string) =>
    edit((before) => patchNode(before, node.name, change), `${node.name} ${key}`);
  return (
    <section ref={ref} tabIndex={-1} className="inspector" aria-label={`Node ${node.name}`}>
      <header>
        <span className="flow-icon">
          <NodeIcon type={node.type} size={17} />
        </span>
        <NodeName
          draft={draft}
          name={node.name}
          canEdit={canEdit}
          onRename={(name) => {
            edit((before) => renameNode(before, node.name, name));
            onSelect(name);
          }}
        />
        {onRunTo && (
          <Button icon={<Play size={13} />} onClick={() => onRunTo(node.name)} title="Runs the workflow up to this node">
            Run to here
          </Button>
        )}
        <IconButton label="Close" onClick={onClose}>
          <X size={15} />
        </IconButton>
      </header>
      <Tabs
        label="Node"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'parameters',
            label: 'Parameters',
            content: (
              <fieldset disabled={!canEdit}>
                <NodeForm node={node} onChange={patch} />
              </fieldset>
            ),
          },
          {
            value: 'data',
            label: 'Data',
            content: <NodeData draft={draft} node={node} runData={runData} edit={canEdit ? edit : undefined} />,
          },
          {
            value: 'connections',
            label: 'Connections',
            content: (
              <NodeConnections draft={draft} node={node} types={types} edit={canEdit ? edit : undefined} onSelect={onSelect} />
            ),
          },
          {
            value: 'settings',
            label: 'Settings',
            content: (
              <fieldset disabled={!canEdit}>
                <NodeSettings node={node} type={types.get(node.type)} onChange={patch} edit={edit} onClose={onClose} />
              </fieldset>
            ),
          },
        ]}
      />
    </section>
  );
}

interface NodeNameProps {
  draft: Draft;
  name: string;
  canEdit: boolean;
  onRename(name: string): void;
}

/** The name, changed at Enter or when the field is left. */
function NodeName({ draft, name, canEdit, onRename }: NodeNameProps) {
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  const problem = nameProblem(draft, name, text);
  const commit = () => {
    if (problem) setText(name);
    else if (text !== name) onRename(text);
  };
  return (
    <input
      className="node-name grow"
      aria-label="Name of the node"
      aria-invalid={problem !== undefined}
      title={problem}
      readOnly={!canEdit}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setText(name);
      }}
    />
  );
}
