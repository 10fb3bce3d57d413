import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportOf, tableOf } from './report.ts';
import { runChaos } from './run.ts';

/*
 * `./dev chaos [--seed N] [--minutes M] [--rate R] [--json FILE]`: runs the service under load
 * while processes, connections, disks, and clocks fail, then audits the executions. Exits with 1
 * and keeps the logs if anything was lost, duplicated, or late.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    minutes: { type: 'string', default: '3' },
    rate: { type: 'string', default: '25' },
    json: { type: 'string' },
    'keep-logs': { type: 'boolean', default: false },
  },
});
const startedAt = performance.now();
const options = {
  seed: Number(values.seed),
  durationMs: Number(values.minutes) * 60_000,
  rate: Number(values.rate),
  log: (line: string) =>
    void process.stderr.write(`chaos ${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s: ${line}\n`),
};

options.log(`seed ${options.seed}`);
const outcome = await runChaos(options);
const report = reportOf(options, outcome);
const json = JSON.stringify(report, undefined, 2);
process.stderr.write(`\n${tableOf(report)}\n\n`);
process.stdout.write(`${json}\n`);
if (values.json !== undefined) await writeFile(values.json, json);
if (report.passed && !values['keep-logs']) await rm(outcome.home, { recursive: true, force: true });
else {
  await writeFile(join(outcome.home, 'report.json'), json);
  options.log(`the logs are in ${outcome.home}`);
}
process.exit(report.passed ? 0 : 1);
