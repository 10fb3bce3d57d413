import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../data/errors.ts';
import type { RunData } from '../../../data/run-data.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/fields.tsx';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { type Draft, type PinData, pin } from '../model/graph.ts';
import { parseItems } from '../model/items.ts';
import { lastInput, lastOutput } from '../model/run-data.ts';
import type { Edit } from './use-draft.ts';

interface NodeDataProps {
  draft: Draft;
  name: string;
  runData: RunData;
  edit: Edit;
}

/** Input and output of the last run, and pinned items. */
export function NodeData({ draft, name, runData, edit }: NodeDataProps) {
  const output = lastOutput(runData, name);
  const input = lastInput(draft, runData, name);
  const hasOutput = output !== undefined && output.length > 0;
  const pinned = draft.pinData[name];
  const error = runData[name]?.at(-1)?.error;
  const set = (items: PinData[string] | undefined) => edit((before) => pin(before, name, items), `${name} pin`);
  return (
    <div className="inspector-body">
      {error && <p className="field-error">{error.message}</p>}
      {pinned ? (
        <PinnedItems key={name} items={pinned} onChange={set} />
      ) : (
        <>
          <h3>Output of the last run</h3>
          {hasOutput ? (
            <div className="data-tree">
              <JsonTree value={output} label="Output" openDepth={2} />
            </div>
          ) : (
            <p className="muted">{output ? 'It gave no items.' : 'This node has not run yet.'}</p>
          )}
          <div className="row">
            <Button
              icon={<Pin size={14} />}
              onClick={() => set((hasOutput ? output : [{}]).map((json) => ({ json })) as PinData[string])}
            >
              {hasOutput ? 'Pin this output' : 'Pin items'}
            </Button>
            <span className="field-hint">Manual runs use pinned items instead of running the node.</span>
          </div>
        </>
      )}
      {input && (
        <>
          <h3>Input of the last run</h3>
          <div className="data-tree">
            <JsonTree value={input} label="Input" openDepth={2} />
          </div>
        </>
      )}
    </div>
  );
}

function PinnedItems({ items, onChange }: { items: PinData[string]; onChange(items: PinData[string] | undefined): void }) {
  const [text, setText] = useState(() =>
    JSON.stringify(
      items.map((item) => ('json' in item ? item['json'] : item)),
      null,
      2,
    ),
  );
  const [error, setError] = useState<string>();
  const edit = (next: string) => {
    setText(next);
    try {
      onChange(parseItems(next));
      setError(undefined);
    } catch (problem) {
      setError(messageOf(problem));
    }
  };
  return (
    <>
      <TextArea
        label="Pinned items"
        hint="A list of JSON objects."
        error={error}
        className="mono"
        rows={12}
        value={text}
        onChange={edit}
      />
      <Button icon={<PinOff size={14} />} onClick={() => onChange(undefined)}>
        Unpin
      </Button>
    </>
  );
}
