import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../data/errors.ts';
import { ownValue } from '../../../data/own-value.ts';
import type { Branch, RunData } from '../../../data/run-data.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { ItemView } from '../../../ui/item-view.tsx';
import { type Draft, type GraphNode, type PinData, pin } from '../model/graph.ts';
import { parseItems } from '../model/items.ts';
import { lastInput, lastOutput } from '../model/run-data.ts';
import type { Edit } from './use-draft.ts';

interface NodeDataProps {
  draft: Draft;
  node: GraphNode;
  runData: RunData;
  /** Absent: pinned items cannot be changed. */
  edit: Edit | undefined;
}

/** Input and output of the last run, and pinned items. */
export function NodeData({ draft, node, runData, edit }: NodeDataProps) {
  const { name } = node;
  const output = lastOutput(runData, node);
  const input = lastInput(draft, runData, name);
  const items = output?.flatMap((branch) => branch.items) ?? [];
  const pinned = ownValue(draft.pinData, name);
  const error = runData[name]?.at(-1)?.error;
  const set = (items: PinData[string] | undefined) => edit?.((before) => pin(before, name, items), `${name} pin`);
  return (
    <div className="inspector-body">
      {error && <p className="field-error">{error.message}</p>}
      {pinned ? (
        <fieldset className="stack-small" disabled={!edit}>
          <PinnedItems items={pinned} onChange={set} />
        </fieldset>
      ) : (
        <>
          <h2>Output of the last run</h2>
          {output && items.length > 0 ? (
            <LastItems branches={output} label="Output" />
          ) : (
            <p className="muted">{output ? 'It returned no items.' : 'This node has not run yet.'}</p>
          )}
          {edit && (
            <div className="row">
              <Button
                icon={<Pin size={14} />}
                onClick={() => set(items.length > 0 ? items.map(({ json }) => ({ json: json as object })) : [{ json: {} }])}
              >
                {items.length > 0 ? 'Pin this output' : 'Pin items'}
              </Button>
              <span className="field-hint">Manual runs use pinned items instead of running the node.</span>
            </div>
          )}
        </>
      )}
      {input.length > 0 && (
        <>
          <h2>Input of the last run</h2>
          <LastItems branches={input} label="Input" />
        </>
      )}
    </div>
  );
}

function LastItems(props: { branches: readonly Branch[]; label: string }) {
  return (
    <div className="data-view">
      <ItemView {...props} />
    </div>
  );
}

interface PinnedItemsProps {
  items: PinData[string];
  onChange(items: PinData[string] | undefined): void;
}

/** Pinned items as text, kept here while the user types; then it follows the draft. */
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
