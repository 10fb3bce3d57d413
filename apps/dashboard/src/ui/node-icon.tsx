import {
  Bot,
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
  HardDrive,
  ListFilter,
  type LucideIcon,
  Mail,
  MessageSquare,
  MousePointerClick,
  Pencil,
  Repeat,
  Shuffle,
  Sparkles,
  Table2,
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
  [/agent/i, Bot],
  [/slack|discord|telegram|mattermost|matrix|twilio|teams|whats-?app|chat/i, MessageSquare],
  [/sheets|airtable|baserow|noco|excel|data-table/i, Table2],
  [/drive|dropbox|box$|storage/i, HardDrive],
  [/filter|limit|duplicates/i, Filter],
  [/\bset\b|rename|edit/i, Pencil],
  [/batch|loop/i, Repeat],
  [/sort|aggregate|summarize|split|lists/i, ListFilter],
  [/wait|date-?time/i, Clock],
  [/e-?mail|imap|gmail/i, Mail],
  [/form/i, FileText],
  [/sql|postgres|mongo|redis/i, Database],
  [/kafka|amqp|mqtt|rabbit/i, Shuffle],
  [/json|xml|crypto|jwt|compression/i, Braces],
  [/file|spreadsheet|pdf|ftp|s3|ssh/i, FileText],
];

/** An icon for a node type, by its name. */
export function NodeIcon({ type, size = 16 }: { type: string; size?: number }) {
  const name = type.split('.').at(-1) ?? type;
  const isAi = type.startsWith('ai.') || type.includes('langchain');
  const Icon = icons.find(([words]) => words.test(name))?.[1] ?? (isAi ? Sparkles : Boxes);
  return <Icon size={size} />;
}
