import {
  Boxes,
  Braces,
  CalendarClock,
  Clock,
  Code,
  Database,
  FileText,
  Filter,
  GitBranch,
  GitMerge,
  Globe,
  ListFilter,
  type LucideIcon,
  Mail,
  MousePointerClick,
  Pencil,
  Repeat,
  Shuffle,
  TriangleAlert,
  Webhook,
  Workflow,
} from 'lucide-react';

/** Icons by words of the type; the first match counts. */
const icons: readonly [RegExp, LucideIcon][] = [
  [/manual/i, MousePointerClick],
  [/schedule|cron|interval/i, CalendarClock],
  [/webhook/i, Webhook],
  [/error/i, TriangleAlert],
  [/workflow/i, Workflow],
  [/http|graph|html|rss|sse/i, Globe],
  [/code|function|command/i, Code],
  [/^if$|switch/i, GitBranch],
  [/merge|compare/i, GitMerge],
  [/filter|limit|duplicates/i, Filter],
  [/set|rename|edit/i, Pencil],
  [/batch|loop/i, Repeat],
  [/sort|aggregate|summarize|split|lists/i, ListFilter],
  [/wait|datetime/i, Clock],
  [/email|imap/i, Mail],
  [/form/i, FileText],
  [/sql|postgres|mongo|redis/i, Database],
  [/kafka|amqp|mqtt|rabbit/i, Shuffle],
  [/json|xml|crypto|jwt|compression/i, Braces],
  [/file|spreadsheet|pdf|ftp|s3|ssh/i, FileText],
];

/** An icon for a node type, by its name. */
export function NodeIcon({ type, size = 16 }: { type: string; size?: number }) {
  const name = (type.split('.').at(-1) ?? type).replaceAll('-', '');
  const Icon = icons.find(([words]) => words.test(name))?.[1] ?? Boxes;
  return <Icon size={size} aria-hidden="true" />;
}
