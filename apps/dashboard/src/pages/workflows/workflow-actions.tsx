import { useNavigate } from '@tanstack/react-router';
import { FileDown, Play, Save, SquarePen, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { deleteWorkflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toast.tsx';
import { RunDialog } from './run-dialog.tsx';
import type { RunOptions, WorkflowEditor } from './use-workflow-editor.ts';

interface ActionsProps {
  editor: WorkflowEditor;
  /** Shows an error by itself. */
  onRun(): Promise<void>;
  /** Rejects with the error, for a dialog that keeps its input. */
  onStart(options: RunOptions): Promise<void>;
}

/** Save, run, delete. */
export function WorkflowActions({ editor, onRun, onStart }: ActionsProps) {
  const { workflow, isDirty, isSaving } = editor;
  const [dialog, setDialog] = useState<'input' | 'delete'>();
  const [isRunning, setRunning] = useState(false);
  const navigate = useNavigate();
  const save = async () => {
    if (!isDirty) return;
    try {
      if (await editor.save()) toast.success('Workflow saved', savedText(workflow.active));
    } catch (error) {
      toast.error(error, 'The workflow was not saved');
    }
  };
  const run = async () => {
    if (isRunning) return;
    setRunning(true);
    await onRun();
    setRunning(false);
  };
  useSaveAndRunKeys(save, run);
  return (
    <>
      <Button icon={<Play size={14} />} busy={isRunning} onClick={() => void run()} title="Ctrl+Enter">
        Run
      </Button>
      <Button
        kind="primary"
        icon={<Save size={14} />}
        disabled={!isDirty}
        busy={isSaving}
        onClick={() => void save()}
        title="Ctrl+S"
      >
        Save
      </Button>
      <Menu
        label="More actions"
        entries={[
          {
            label: 'Run with input …',
            icon: <SquarePen size={14} />,
            onSelect: () => setDialog('input'),
          },
          {
            label: 'Download',
            icon: <FileDown size={14} />,
            onSelect: () => saveFile(new Blob([JSON.stringify(editor.draft, null, 2)]), `${editor.draft.name}.json`),
          },
          {
            label: 'Delete',
            icon: <Trash2 size={14} />,
            danger: true,
            onSelect: () => setDialog('delete'),
          },
        ]}
      />
      {dialog === 'input' && <RunDialog draft={editor.draft} onClose={() => setDialog(undefined)} onRun={onStart} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          onClose={() => setDialog(undefined)}
          title={`Delete “${workflow.name}”?`}
          action="Delete"
          danger
          onConfirm={async () => {
            await deleteWorkflow(workflow.id);
            await navigate({ to: '/workflows', ignoreBlocker: true });
          }}
        >
          <p>Its versions and executions are deleted with it. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function savedText(isActive: boolean): string | undefined {
  return isActive ? 'The active version is unchanged. Activate the new one under “Versions”.' : undefined;
}

/** Ctrl+S and Ctrl+Enter, also in fields, but not in dialogs. A held key acts once. */
function useSaveAndRunKeys(save: () => Promise<void>, run: () => Promise<void>): void {
  useEffect(() => {
    const actions: Record<string, () => Promise<void>> = { s: save, Enter: run };
    const onKeyDown = (event: KeyboardEvent) => {
      const act = actions[event.key];
      if (act === undefined || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!event.repeat && !isInDialog(event)) void act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}

function isInDialog({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[role=dialog]') !== null;
}
