import { useEffect } from 'react';
import { counted } from '../../../ui/format.ts';
import { isTakenElsewhere } from '../../../ui/key-target.ts';
import { toast } from '../../../ui/toast.tsx';
import { type Draft, removeNodes } from '../model/graph.ts';
import { insertFile, parseWorkflowFile, toFileText } from '../model/workflow-file.ts';
import type { Edit } from './use-draft.ts';

interface ClipboardOptions {
  draft: Draft;
  selected: readonly string[];
  /** Absent: the graph is read-only. */
  edit: Edit | undefined;
  select(names: readonly string[]): void;
}

/** Copies or cuts the chosen nodes as JSON; pastes nodes or workflows. Not in fields or dialogs. */
export function useClipboard({ draft, selected, edit, select }: ClipboardOptions): void {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      if (selected.length === 0 || isTakenElsewhere(event) || getSelection()?.isCollapsed === false) return;
      event.clipboardData?.setData('text/plain', toFileText(draft, selected));
      event.preventDefault();
      if (event.type !== 'cut') return;
      edit?.((before) => removeNodes(before, selected));
      select([]);
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain').trim() ?? '';
      if (edit === undefined || isTakenElsewhere(event) || !/^[[{]/.test(text)) return;
      event.preventDefault();
      try {
        const pasted = insertFile(draft, parseWorkflowFile(text));
        edit(() => pasted.draft);
        select(pasted.names);
        toast.success(`${counted(pasted.names.length, 'node')} pasted`);
      } catch (error) {
        toast.error(error, 'Nothing was pasted');
      }
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [draft, selected, edit, select]);
}
