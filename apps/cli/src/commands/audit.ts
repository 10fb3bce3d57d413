import type { Command } from 'commander';
import type { AuditOptions } from '../administration/print-audit-log.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

export function auditCommand(terminal: Terminal): Command {
  return jsonCommand('audit', 'print the audit log, oldest entry first')
    .option('--since <time>', 'ISO 8601 date or date-time, or a duration before now: 30m, 12h, 7d')
    .option('--actor <actor>', 'email or ID of a user, or ID of a key')
    .option('--object <object>', 'ID, name, or type of an object, or ID of a project')
    .option('--limit <count>', 'print only the newest <count> entries', '1000')
    .action(async (options: AuditOptions) =>
      (await import('../administration/print-audit-log.ts')).printAuditLog(options, terminal),
    );
}
