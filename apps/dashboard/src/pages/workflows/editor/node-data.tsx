import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../data/errors.ts';
import type { RunData } from '../../../data/run-data.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { type Draft, type PinData, pin } from '../model/graph.ts';
import { parseItems } from '../model/items.ts';
import { lastInput, lastOutput } from '../model/run-data.ts';
import type { Edit } from './use-draft.ts';

interface NodeDataProps {
  draft: Draft;
  name: string;
  runData: RunData;
  /** Absent: pinned items cannot be changed. */
  edit: Edit | undefined;
}

/** Input and output of the last run, and pinned items. */
export function NodeData({ draft, name, runData, edit }: NodeDataProps) {
  const output = lastOutput(runData, name);
  const input = lastInput(draft, runData, name);
  const hasOutput = output !== undefined && output.length > 0;
  const pinned = draft.pinData[name];
  const error = runData[name]?.at(-1)?.error;
  const set = (items: PinData[string] | undefined) => edit?.((before) => pin(before, name, items), `${name} pin`);
  return (
    <div className="inspector-body">
      {error && <p className="field-error">{error.message}</p>}
      {pinned ? (
        <fieldset className="plain stack-small" disabled={!edit}>
          <PinnedItems items={pinned} onChange={set} />
        </fieldset>
      ) : (
        <>
          <h2>Output of the last run</h2>
          {hasOutput ? (
            <div className="data-tree">
              <JsonTree value={output} label="Output" openDepth={2} />
            </div>
          ) : (
            <p className="muted">{output ? 'It returned no items.' : 'This node has not run yet.'}</p>
          )}
          {edit && (
            <div className="row">
              <Button
                icon={<Pin size={14} />}
                onClick={() => set((hasOutput ? output : [{}]).map((json) => ({ json })) as PinData[string])}
              >
                {hasOutput ? 'Pin this output' : 'Pin items'}
              </Button>
              <span className="field-hint">Manual runs use pinned items instead of running the node.</span>
            </div>
          )}
        </>
      )}
      {input && (
        <>
          <h2>Input of the last run</h2>
          <div className="data-tree">
            <JsonTree value={input} label="Input" openDepth={2} />
          </div>
        </>
      )}
    </div>
  );
}

interface PinnedItemsProps {
  items: PinData[string];
  onChange(items: PinData[string] | undefined): void;
}

/** Pinned items as text. While the user types, it is kept here; then it follows the draft, as after an undo. */
function PinnedItems({ items, onChange }: PinnedItemsProps) {
  const [typed, setTyped] = useState<{ text: string; error?: string }>();
  const edit = (text: string) => {
    try {
      onChange(parseItems(text));
      setTyped({ text });
    } catch (problem) {
      setTyped({ text, error: messageOf(problem) });
    }
  };
  return (
    <>
      <CodeField
        label="Pinned items"
        hint="A list of JSON objects."
        error={typed?.error}
        language="json"
        rows={12}
        value={typed?.text ?? textOf(items)}
        onChange={edit}
        onBlur={() => !typed?.error && setTyped(undefined)}
      />
      <Button icon={<PinOff size={14} />} onClick={() => onChange(undefined)}>
        Unpin
      </Button>
    </>
  );
}

function textOf(items: PinData[string]): string {
  const values = items.map((item) => ('json' in item ? item['json'] : item));
  return JSON.stringify(values, null, 2);
}
