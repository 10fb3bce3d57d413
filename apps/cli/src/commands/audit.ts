import { Command } from 'commander';
import type { AuditOptions } from '../administration/print-audit-log.ts';
import type { Terminal } from '../terminal.ts';

export function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('print the audit log, oldest line first')
    .option('--since <instant>', 'ISO 8601 date or instant, or a time back from now: 30m, 12h, 7d')
    .option('--actor <actor>', 'email or id of a user, or id of a key')
    .option('--object <object>', 'id, name or type of an object, or id of a project')
    .option('--limit <count>', 'maximum number of lines, the newest first', '1000')
    .option('--json', 'print JSON', false)
    .action(async (options: AuditOptions) =>
      (await import('../administration/print-audit-log.ts')).printAuditLog(options, terminal),
    );
}
