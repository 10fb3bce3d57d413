import { Trash2 } from 'lucide-react';
import { latestVersion, versionsOf } from '../../../data/node-type-facts.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, Switch, TextField } from '../../../ui/fields.tsx';
import { type Changes, type GraphNode, removeNodes } from '../model/graph.ts';
import type { Edit } from './use-draft.ts';

interface NodeSettingsProps {
  node: GraphNode;
  type: NodeType | undefined;
  onChange(change: Changes<GraphNode>, key: string): void;
  edit: Edit;
  onClose(): void;
}

/** Settings that every node has: errors, retries, version. */
export function NodeSettings({ node, type, onChange, edit, onClose }: NodeSettingsProps) {
  const versions = type ? versionsOf(type) : [];
  const flag = (name: 'disabled' | 'retryOnFail' | 'executeOnce' | 'alwaysOutputData', label: string) => (
    <Switch checked={node[name] ?? false} label={label} onChange={(on) => onChange({ [name]: on || undefined }, name)} />
  );
  const number = (name: 'maxTries' | 'waitBetweenTries', label: string, fallback: number) => (
    <TextField
      label={label}
      type="number"
      value={String(node[name] ?? fallback)}
      onChange={(text) => onChange({ [name]: Number(text) }, name)}
    />
  );
  return (
    <div className="inspector-body">
      {flag('disabled', 'Disabled: items pass through unchanged')}
      <SelectField
        label="If it fails"
        value={node.onError ?? (node.continueOnFail ? 'continueRegularOutput' : 'stopWorkflow')}
        options={[
          { value: 'stopWorkflow', label: 'Stop the workflow' },
          { value: 'continueRegularOutput', label: 'Continue, with the error as output' },
          { value: 'continueErrorOutput', label: 'Continue at an error output' },
        ]}
        onChange={(next) =>
          onChange(
            { onError: next === 'stopWorkflow' ? undefined : (next as GraphNode['onError']), continueOnFail: undefined },
            'onError',
          )
        }
      />
      {flag('retryOnFail', 'Retry after a failure')}
      {node.retryOnFail && (
        <div className="pair">
          {number('maxTries', 'Tries in total', 3)}
          {number('waitBetweenTries', 'Milliseconds between tries', 1000)}
        </div>
      )}
      {flag('executeOnce', 'Use only the first item')}
      {flag('alwaysOutputData', 'Output an empty item if there is no other')}
      {type && versions.length > 1 && (
        <SelectField
          label="Version of the node type"
          value={String(node.typeVersion ?? latestVersion(type))}
          options={versions.map((version) => ({ value: String(version), label: String(version) }))}
          onChange={(version) => onChange({ typeVersion: Number(version) }, 'typeVersion')}
        />
      )}
      <Button
        kind="danger"
        icon={<Trash2 size={14} />}
        onClick={() => {
          edit((before) => removeNodes(before, [node.name]));
          onClose();
        }}
      >
        Delete the node
      </Button>
    </div>
  );
}
