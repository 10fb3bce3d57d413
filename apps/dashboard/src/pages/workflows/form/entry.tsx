import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/button.tsx';

interface EntryProps {
  /** `Rule 2` */
  title: string;
  onRemove(): void;
  /** Buttons before the button that removes the entry. */
  actions?: ReactNode;
  children: ReactNode;
}

/** An entry of a list, with a bar that moves or removes it. */
export function Entry({ title, onRemove, actions, children }: EntryProps) {
  return (
    <div className="entry">
      <div className="entry-bar">
        <span className="grow muted">{title}</span>
        {actions}
        <IconButton label={`Remove ${title}`} onClick={onRemove}>
          <Trash2 size={14} />
        </IconButton>
      </div>
      {children}
    </div>
  );
}
