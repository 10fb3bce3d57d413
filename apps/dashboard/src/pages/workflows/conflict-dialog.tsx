import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import type { WorkflowEditor } from './use-workflow-editor.ts';

/** Someone else has saved the workflow meanwhile: the user chooses a side. */
export function ConflictDialog({ editor }: { editor: WorkflowEditor }) {
  const [isBusy, setBusy] = useState(false);
  const act = (action: () => Promise<unknown>) => async () => {
    setBusy(true);
    await action().catch((error) => toast.error(error));
    setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={editor.dismissConflict}
      title="This workflow has changed"
      size="small"
      footer={
        <>
          <Button busy={isBusy} onClick={act(editor.load)}>
            Load theirs
          </Button>
          <Button kind="primary" busy={isBusy} onClick={act(editor.overwrite)}>
            Save mine
          </Button>
        </>
      }
    >
      <p>Someone saved another version after you opened it. Nothing was overwritten.</p>
      <p>
        “Save mine” makes yours the newest version. Theirs stays among the versions, where you can compare them. “Load theirs”
        discards your changes.
      </p>
    </Dialog>
  );
}
