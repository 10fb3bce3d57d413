import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Plus, Tag as TagIcon, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api, byId, call, type Schemas } from '../../data/api.ts';
import { changing } from '../../data/query-client.ts';
import { tagList } from '../../data/tags.ts';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, type Column, timeColumn } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Menu } from '../../ui/menu.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { Empty } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

type Tag = Schemas['Tag'];
type OpenDialog = { kind: 'create' } | { kind: 'rename' | 'delete'; tag: Tag };

/** Tags of workflows: create, rename, delete. */
export function TagsPage() {
  const tags = useQuery(tagList);
  const [dialog, setDialog] = useState<OpenDialog>();
  const columns = useMemo(() => columnsOf(setDialog), []);
  const close = () => setDialog(undefined);
  const createButton = (
    <Button kind="primary" icon={<Plus size={14} />} onClick={() => setDialog({ kind: 'create' })}>
      New tag
    </Button>
  );
  return (
    <ListPage
      title="Tags"
      query={tags}
      action={createButton}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={(tag) => setDialog({ kind: 'rename', tag })}
      empty={
        <Empty icon={<TagIcon size={20} />} title="No tags yet" action={createButton}>
          Tags group workflows across projects.
        </Empty>
      }
    >
      {dialog?.kind === 'create' && <TagDialog onClose={close} />}
      {dialog?.kind === 'rename' && <TagDialog tag={dialog.tag} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteDialog tag={dialog.tag} onClose={close} />}
    </ListPage>
  );
}

/** Workflows contain the names of their tags. */
const changingTags = (change: Promise<unknown>) => changing(change, 'tags', 'workflows');

function TagDialog({ tag, onClose }: { tag?: Tag; onClose(): void }) {
  const save = async (name: string) => {
    const body = { name };
    await changingTags(call<unknown>(tag ? api.PATCH('/tags/{id}', { ...byId(tag.id), body }) : api.POST('/tags', { body })));
    toast.success(tag ? 'Tag renamed' : `Tag “${name}” created`);
  };
  return (
    <NameDialog
      title={tag ? `Rename “${tag.name}”` : 'New tag'}
      {...(tag && { name: tag.name })}
      onClose={onClose}
      onSave={save}
    />
  );
}

function DeleteDialog({ tag, onClose }: { tag: Tag; onClose(): void }) {
  const remove = async () => {
    await changingTags(call(api.DELETE('/tags/{id}', byId(tag.id))));
    toast.success(`Tag “${tag.name}” deleted`);
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Delete “${tag.name}”?`} action="Delete" danger onConfirm={remove}>
      <p>It is removed from every workflow and execution. The workflows remain.</p>
    </ConfirmDialog>
  );
}

function columnsOf(open: (dialog: OpenDialog) => void): Column<Tag>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(140px, 2fr)',
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ name }) => <strong>{name}</strong>,
    },
    {
      id: 'workflows',
      header: 'Workflows',
      width: '110px',
      cell: ({ name }) => (
        <Link to="/workflows" search={{ tag: name }} className="link">
          Show
          <span className="sr-only"> workflows with the tag {name}</span>
        </Link>
      ),
    },
    timeColumn('Created', ({ createdAt }) => createdAt, { wideOnly: true }),
    actionsColumn((tag) => (
      <Menu
        label={`Actions for ${tag.name}`}
        entries={[
          { label: 'Rename', icon: <Pencil size={14} />, onSelect: () => open({ kind: 'rename', tag }) },
          { label: 'Delete', icon: <Trash2 size={14} />, danger: true, onSelect: () => open({ kind: 'delete', tag }) },
        ]}
      />
    )),
  ];
}
