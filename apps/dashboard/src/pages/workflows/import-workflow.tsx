import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { messageOf } from '../../data/errors.ts';
import { createWorkflow, type Workflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/fields.tsx';
import { counted } from '../../ui/format.ts';
import { parseWorkflowFile, type WorkflowFile } from './model/workflow-file.ts';
import { WarningList } from './warnings.tsx';

interface ImportDialogProps {
  projectId: string | undefined;
  onClose(): void;
}

/** Creates a workflow from a JSON file or pasted text, and shows the warnings of the API. */
export function ImportDialog({ projectId, onClose }: ImportDialogProps) {
  const [imported, setImported] = useState<Workflow>();
  const navigate = useNavigate();
  const open = ({ id }: Workflow) => navigate({ to: '/workflows/$workflowId', params: { workflowId: id } });
  if (imported) return <WarningsDialog workflow={imported} onClose={onClose} onOpen={() => void open(imported)} />;
  const onImported = (workflow: Workflow) => (workflow.warnings?.length ? setImported(workflow) : open(workflow));
  return <SourceDialog projectId={projectId} onClose={onClose} onImported={onImported} />;
}

function SourceDialog({ projectId, onClose, onImported }: ImportDialogProps & { onImported(workflow: Workflow): unknown }) {
  const [text, setText] = useState('');
  const [name, setName] = useState<string>();
  const { file, problem } = read(text);
  const shownName = name ?? file?.name ?? 'Imported workflow';
  const isReady = file !== undefined && shownName.trim() !== '';
  const create = async () =>
    createWorkflow({ ...(file as WorkflowFile), name: shownName.trim(), ...(projectId && { projectId }) });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Import a workflow"
      size="medium"
      action="Import"
      disabled={!isReady}
      onConfirm={create}
      onDone={onImported}
    >
      <FileChoice onText={setText} />
      <TextArea
        label="JSON of the workflow"
        className="mono"
        rows={9}
        spellCheck={false}
        placeholder="… or paste it here"
        value={text}
        onChange={setText}
        {...(problem !== undefined && { error: problem })}
      />
      {file && (
        <>
          <TextField label="Name" value={shownName} onChange={setName} maxLength={128} required />
          <p className="muted small">
            {counted(file.nodes.length, 'node')}. The workflow is inactive until you activate it; credentials are chosen in its
            nodes.
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}

function read(text: string): { file?: WorkflowFile; problem?: string } {
  if (text.trim() === '') return {};
  try {
    return { file: parseWorkflowFile(text) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** A button that opens a file, and on which a file can be dropped. */
function FileChoice({ onText }: { onText(text: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => file && onText(await file.text());
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button
    <div className="file-drop" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File of the workflow"
        hidden
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <Button icon={<FileUp size={15} />} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <span className="muted">or drop it here</span>
    </div>
  );
}

interface WarningsProps {
  workflow: Workflow;
  onClose(): void;
  onOpen(): void;
}

function WarningsDialog({ workflow: { name, warnings = [] }, onClose, onOpen }: WarningsProps) {
  return (
    <Dialog
      onClose={onClose}
      title={`“${name}” was imported`}
      description="A run rejects or ignores some of its parts:"
      onSubmit={onOpen}
      footer={
        <Button kind="primary" type="submit">
          Open the workflow
        </Button>
      }
    >
      <WarningList warnings={warnings} />
    </Dialog>
  );
}
