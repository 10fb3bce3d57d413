import { Plus, Redo2, Undo2 } from 'lucide-react';
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from 'react';
import { isTrigger } from '../../../data/node-type-facts.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { useNodeTypes } from '../../../data/node-types.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { PreviewScope, usePreviewStore } from '../form/preview-context.ts';
import { useEntryKeys } from '../form/use-entry-keys.ts';
import { connect, type Draft, disconnect, duplicateNodes, moveNodes, removeNodes } from '../model/graph.ts';
import { addNodeOfType, type Origin, openEnd } from '../model/new-node.ts';
import { Canvas, type CanvasEdit } from './canvas.tsx';
import { FirstStep, FirstTrigger } from './first-steps.tsx';
import { Inspector } from './inspector.tsx';
import { NodePalette } from './node-palette.tsx';
import { RunBar } from './run-bar.tsx';
import { useClipboard } from './use-clipboard.ts';
import type { Edit } from './use-draft.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { useRun } from './use-last-run.ts';
import './editor.css';

interface EditorProps {
  workflowId: string;
  draft: Draft;
  edit: Edit;
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
  executionId: string | undefined;
  /** False: the graph is read-only. */
  canEdit: boolean;
  /** Runs the workflow up to a node. */
  onRunTo?: ((name: string) => void) | undefined;
}

/** The graph of a workflow and the form of the chosen node. */
export function Editor(props: EditorProps) {
  const { workflowId, draft, edit, undo, redo, canEdit, executionId, onRunTo } = props;
  const { query, all, types } = useNodeTypes();
  const [selected, select] = useState<readonly string[]>([]);
  const inspector = useRef<HTMLElement>(null);
  const hasAdded = useRef(false);
  const [palette, setPalette] = useState<{ origin?: Origin | undefined }>();
  const { execution, runData, marks } = useRun(executionId);
  const [only] = selected;
  // A node that is renamed keeps its form, with the focus.
  const nodeKeys = useEntryKeys(draft.nodes);
  const node = selected.length === 1 ? draft.nodes.find(({ name }) => name === only) : undefined;
  const openPalette = () =>
    canEdit && setPalette({ origin: node && !isSubNode(node) ? { node: node.name, output: 0 } : openEnd(draft, types) });
  const isSubNode = ({ type }: { type: string }) => types.get(type)?.outputs.includes('main') === false;
  const isTriggerNode = ({ type }: { type: string }) => isTrigger(types.get(type) ?? { group: [] });
  const duplicate = () => {
    const copied = duplicateNodes(draft, selected);
    edit(() => copied.draft);
    select(copied.names);
  };
  const closeInspector = () => {
    if (only !== undefined) document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(only)}"]`)?.focus();
    select([]);
  };
  useEditorKeys({
    'mod+z': undo,
    'mod+shift+z': redo,
    'mod+y': redo,
    'mod+d': duplicate,
    'mod+a': () => select(draft.nodes.map(({ name }) => name)),
    a: openPalette,
    escape: closeInspector,
    // The key also selects the node, so its form is rendered in the next frame.
    enter: () => requestAnimationFrame(() => inspector.current?.focus()),
  });
  useClipboard({ draft, selected, edit: canEdit ? edit : undefined, select });
  const canvasEdit = useCanvasEdit({ edit, select, addFrom: setPalette });
  const add = (type: NodeType) => {
    const next = addNodeOfType(draft, type, palette?.origin);
    edit(() => next.draft);
    select([next.name]);
    setPalette(undefined);
    hasAdded.current = true;
  };
  // Tab leads from a new node to its fields.
  useEffect(() => {
    if (hasAdded.current) inspector.current?.focus();
    hasAdded.current = false;
  });
  const preview = usePreviewStore(
    useMemo(() => ({ workflowId, executionId: execution?.id, draft, runData }), [workflowId, execution?.id, draft, runData]),
  );
  return (
    <div className="editor" data-open={node !== undefined}>
      <div className="canvas">
        {canEdit && <EditorBar {...props} onAdd={openPalette} />}
        <Canvas
          draft={draft}
          types={types}
          selected={selected}
          onSelect={select}
          marks={marks}
          edit={canEdit ? canvasEdit : undefined}
        />
        {canEdit && draft.nodes.length === 0 && (
          <FirstTrigger types={types} isLoading={query.isPending} onChoose={add} onOther={openPalette} />
        )}
        {canEdit && draft.nodes.length > 0 && draft.nodes.every(isTriggerNode) && <FirstStep onAdd={openPalette} />}
        {execution && <RunBar execution={execution} onShowNode={(name) => select([name])} />}
      </div>
      {node && (
        <PreviewScope value={preview}>
          <Inspector
            key={nodeKeys[draft.nodes.indexOf(node)]}
            ref={inspector}
            draft={draft}
            node={node}
            types={types}
            runData={runData}
            edit={edit}
            canEdit={canEdit}
            onSelect={(name) => select([name])}
            onClose={closeInspector}
            onRunTo={onRunTo}
          />
        </PreviewScope>
      )}
      {palette && (
        <NodePalette
          types={all}
          supplying={palette.origin?.sub}
          wantsTrigger={!draft.nodes.some(isTriggerNode)}
          onClose={() => setPalette(undefined)}
          onChoose={add}
        />
      )}
      {query.error && <PaletteError error={query.error} />}
    </div>
  );
}

interface CanvasEditOptions {
  edit: Edit;
  select: Dispatch<SetStateAction<readonly string[]>>;
  /** Opens the palette. Stable. */
  addFrom(from: { origin: Origin }): void;
}

/** Applies what the user does in the graph. */
function useCanvasEdit({ edit, select, addFrom }: CanvasEditOptions): CanvasEdit {
  return useMemo(
    () => ({
      onMove: (places) => edit((before) => moveNodes(before, places), `move ${[...places.keys()].join()}`),
      onConnect: (edge) => edit((before) => connect(before, edge)),
      onDelete(names, edges) {
        edit((before) => removeNodes(disconnect(before, edges), names));
        select((before) => before.filter((name) => !names.includes(name)));
      },
      onAddAfter: (node, output) => addFrom({ origin: { node, output } }),
      onAddSub: (node, sub) => addFrom({ origin: { node, output: 0, sub } }),
    }),
    [edit, select, addFrom],
  );
}

function EditorBar({ undo, redo, canUndo, canRedo, onAdd }: EditorProps & { onAdd(): void }) {
  return (
    <div className="editor-bar" role="toolbar" aria-label="Editing">
      <Button icon={<Plus size={15} />} onClick={onAdd} title="A">
        Add node
      </Button>
      <IconButton label="Undo (Ctrl+Z)" disabled={!canUndo} onClick={undo}>
        <Undo2 size={15} />
      </IconButton>
      <IconButton label="Redo (Ctrl+Shift+Z)" disabled={!canRedo} onClick={redo}>
        <Redo2 size={15} />
      </IconButton>
    </div>
  );
}

function PaletteError({ error }: { error: unknown }) {
  useEffect(() => toast.error(error, 'The node types were not loaded'), [error]);
  return null;
}
