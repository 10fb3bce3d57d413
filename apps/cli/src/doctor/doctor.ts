import { ConfigError, readEnv, toConfig } from '@sluice/config';
import { type Finding, findingText } from '../checks/finding.ts';
import { settingFindings } from '../checks/setting-checks.ts';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { printable, type Terminal } from '../terminal.ts';
import { configChecks } from './config-checks.ts';
import { homeChecks } from './home-checks.ts';
import { packageChecks } from './package-checks.ts';
import { type Checked, serviceChecks } from './service-checks.ts';

/**
 * Checks for common mistakes and prints a fix for each. Changes nothing. Throws if a problem keeps
 * the service from working; warnings alone are not a failure.
 */
export async function doctor({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const checked = await runChecks(terminal);
  const findings = checked.flatMap((group) => group.findings);
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (json) terminal.line(JSON.stringify({ ok: errors === 0, checks: checked }, undefined, 2));
  else for (const group of checked) printGroup(group, terminal);
  if (errors > 0)
    throw new ExitError(exitCodes.failed, `${errors} of ${findings.length} problems keep the service from working`);
  if (json) return;
  const warnings = findings.length === 1 ? '1 warning' : `${findings.length} warnings`;
  terminal.line(findings.length === 0 ? 'everything looks good' : warnings);
}

async function runChecks(terminal: Terminal): Promise<Checked[]> {
  const config = readConfig();
  const settings = {
    subject: 'settings',
    findings: [...settingFindings(), ...(Array.isArray(config) ? config : configChecks(config))],
  };
  if (Array.isArray(config)) return [settings];
  return [
    settings,
    { subject: 'home', findings: await homeChecks(config) },
    ...(await serviceChecks(config)),
    { subject: 'node packages', findings: await packageChecks(config, terminal) },
  ];
}

function readConfig() {
  try {
    return toConfig(readEnv());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'correct the setting; .env.example lists all settings with their defaults';
    return error.problems.map((message): Finding => ({ level: 'error', check: 'invalid-setting', message, fix }));
  }
}

function printGroup({ subject, findings }: Checked, terminal: Terminal): void {
  terminal.line(`${findings.length === 0 ? 'ok  ' : '!!  '}${subject}`);
  for (const finding of findings) for (const line of findingText(finding).split('\n')) terminal.line(printable(`    ${line}`));
}
