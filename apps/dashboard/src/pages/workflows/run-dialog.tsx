import { useState } from 'react';
import { edgesOf } from '../../data/edges.ts';
import { messageOf } from '../../data/errors.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import type { Draft } from './model/graph.ts';
import { parseItems } from './model/items.ts';
import type { RunOptions } from './use-workflow-editor.ts';

interface RunDialogProps {
  draft: Draft;
  onClose(): void;
  onRun(options: RunOptions): Promise<void>;
}

/** Runs a workflow with items that the user types, as the output of its first node. */
export function RunDialog({ draft, onClose, onRun }: RunDialogProps) {
  const targets = new Set(edgesOf(draft.connections).map(({ target }) => target));
  const starts = draft.nodes.map(({ name }) => name).filter((name) => !targets.has(name));
  const [start, setStart] = useState(starts[0] ?? '');
  const [text, setText] = useState('[\n  { "id": 1 }\n]');
  const problem = problemOf(text);
  const run = async () => {
    const pinData = { ...draft.pinData, [start]: parseItems(text) };
    await onRun({ pinData, startNodes: [start] });
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Run with input"
      action="Run"
      disabled={problem !== undefined || start === ''}
      onConfirm={run}
    >
      {starts.length > 1 && (
        <SelectField
          label="Start at"
          value={start}
          onChange={setStart}
          options={starts.map((name) => ({ value: name, label: name }))}
        />
      )}
      <TextArea
        label={`Items that “${start}” returns`}
        hint="A list of JSON objects, such as a webhook or another trigger would return."
        error={problem}
        className="mono"
        rows={10}
        spellCheck={false}
        value={text}
        onChange={setText}
      />
    </ConfirmDialog>
  );
}

function problemOf(text: string): string | undefined {
  try {
    parseItems(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
