import {
  Activity,
  Boxes,
  FolderKanban,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Package,
  ScrollText,
  ShieldCheck,
  Table2,
  Tag,
  Users,
  Webhook,
  Workflow,
} from 'lucide-react';

interface NavigationEntry {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Pressed after `g`. */
  key: string;
}

/** The main navigation, in groups. The palette offers the same entries. */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [
    { to: '/', label: 'Overview', icon: LayoutDashboard, key: 'o' },
    { to: '/executions', label: 'Executions', icon: Activity, key: 'e' },
    { to: '/workflows', label: 'Workflows', icon: Workflow, key: 'w' },
    { to: '/data-tables', label: 'Data tables', icon: Table2, key: 'd' },
    { to: '/tags', label: 'Tags', icon: Tag, key: 't' },
  ],
  [
    { to: '/credentials', label: 'Credentials', icon: ShieldCheck, key: 'c' },
    { to: '/keys', label: 'API keys', icon: KeyRound, key: 'k' },
    { to: '/projects', label: 'Projects', icon: FolderKanban, key: 'p' },
    { to: '/users', label: 'Users', icon: Users, key: 'u' },
    { to: '/event-subscriptions', label: 'Event subscriptions', icon: Webhook, key: 's' },
  ],
  [
    { to: '/node-types', label: 'Node types', icon: Boxes, key: 'n' },
    { to: '/packages', label: 'Packages', icon: Package, key: 'm' },
    { to: '/audit', label: 'Audit log', icon: ScrollText, key: 'a' },
  ],
];
