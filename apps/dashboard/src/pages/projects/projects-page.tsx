import { FolderKanban } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function ProjectsPage() {
  return (
    <Page title="Projects">
      <Empty icon={<FolderKanban size={22} />} title="Projects">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
