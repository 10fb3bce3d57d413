import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { session } from '../data/session.ts';
import { unsavedForms } from '../data/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { DiscardDialog } from '../ui/dialog.tsx';

const hasUnsaved = () => unsavedForms().length > 0;
const hasSession = () => session.get().key !== undefined;

interface Place {
  pathname: string;
  search: { type?: string };
}

/** Another type of a new credential discards its form; other query parameters keep forms. */
function isLeaving(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname || current.search.type !== next.search.type;
}

/** Asks before the user leaves a page with changes. */
export function LeaveDialog() {
  const [isSaving, setSaving] = useState(false);
  const blocker = useBlocker({
    // Without a session, nothing can be saved: the sign-in leads back to the changes.
    shouldBlockFn: ({ current, next }) => hasUnsaved() && hasSession() && isLeaving(current, next),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const forms = unsavedForms();
  const save = forms.length === 1 ? forms[0]?.save : undefined;
  // Once saved, the form is no longer among them.
  const canSave = isSaving || save !== undefined;
  const saveAndLeave = async () => {
    setSaving(true);
    if (await save?.()) blocker.proceed();
    else blocker.reset();
    setSaving(false);
  };
  return (
    <DiscardDialog
      title={canSave ? 'Save before you leave?' : 'Leave without saving?'}
      onCancel={blocker.reset}
      onDiscard={blocker.proceed}
      isBusy={isSaving}
      save={
        canSave && (
          <Button kind="primary" busy={isSaving} onClick={() => void saveAndLeave()}>
            Save and leave
          </Button>
        )
      }
    >
      {canSave ? 'Otherwise the changes since the last save are lost.' : 'The changes on this page are not saved yet.'}
    </DiscardDialog>
  );
}
