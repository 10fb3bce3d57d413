import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { WorkflowEditor } from './use-workflow-editor.ts';

/** Someone else has saved the workflow in the meantime: the user chooses a side. */
export function ConflictDialog({ editor }: { editor: WorkflowEditor }) {
  const act = useAction('The conflict was not resolved', (choice: () => Promise<unknown>) => choice());
  return (
    <Dialog
      onClose={editor.dismissConflict}
      title="This workflow has changed"
      size="small"
      footer={
        <>
          <Button busy={act.isBusy} onClick={() => act.run(editor.load)}>
            Load theirs
          </Button>
          <Button kind="primary" busy={act.isBusy} onClick={() => act.run(editor.overwrite)}>
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
