import { Boxes } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function NodeTypesPage() {
  return (
    <Page title="Node types">
      <Empty icon={<Boxes size={22} />} title="Node types">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
