import { Bookmark, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { createPreference } from '../../data/preferences.ts';
import { useStore } from '../../data/store.ts';
import { Menu } from '../../ui/menu.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { type ExecutionFilter, isFiltered } from './filter.ts';

interface View {
  name: string;
  filter: ExecutionFilter;
}

const views = createPreference<readonly View[]>('executions.views', [
  { name: 'Failed in the last 24 hours', filter: { status: 'error,crashed', range: '24h' } },
  { name: 'Running now', filter: { status: 'new,running,waiting' } },
]);

interface SavedViewsProps {
  filter: ExecutionFilter;
  onChoose(filter: ExecutionFilter): void;
}

/** Named filters, stored in this browser. */
export function SavedViews({ filter, onChoose }: SavedViewsProps) {
  const saved = useStore(views);
  const [isNaming, setNaming] = useState(false);
  const current = saved.find((view) => JSON.stringify(view.filter) === JSON.stringify(filter));
  const entries = [
    ...saved.map((view) => ({
      label: view.name,
      icon: <Bookmark size={14} />,
      onSelect: () => onChoose(view.filter),
    })),
    {
      label: 'Save this view',
      icon: <Plus size={14} />,
      disabled: !isFiltered(filter) || current !== undefined,
      onSelect: () => setNaming(true),
    },
    ...(current
      ? [
          {
            label: `Remove “${current.name}”`,
            icon: <Trash2 size={14} />,
            danger: true,
            onSelect: () => views.set(saved.filter((view) => view !== current)),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu label="Views" entries={entries}>
        <Bookmark size={14} />
        {current?.name ?? 'Views'}
      </Menu>
      {isNaming && (
        <NameDialog
          title="Save this view"
          action="Save"
          hint="Kept in this browser. The URL works for everyone."
          onClose={() => setNaming(false)}
          onSave={async (name) => views.set([...saved.filter((view) => view.name !== name), { name, filter }])}
        />
      )}
    </>
  );
}
