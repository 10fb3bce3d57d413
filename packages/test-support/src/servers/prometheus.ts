import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runServer, type ServerPlace, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

/**
 * Prometheus that scrapes targets (`host:port`) as the job `sluice` every second. `rules` is the
 * content of a rules file.
 */
export async function startPrometheus({ rules, targets }: { rules: string; targets: readonly string[] }): Promise<TestServer> {
  const program = 'usr/bin/prometheus';
  const files = await serverFiles('prometheus', ['prometheus'], [program]);
  const prepare = async ({ home, port }: ServerPlace) => {
    const configuration = join(home, 'prometheus.yml');
    await writeFile(join(home, 'alerts.yml'), rules);
    const settings = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yml'],
      scrape_configs: [{ job_name: 'sluice', static_configs: [{ targets }] }],
    };
    await writeFile(configuration, JSON.stringify(settings)); // JSON is YAML
    const args = [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(home, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    return { file: await files.find(program), args, env: files.env };
  };
  return runServer('prometheus', prepare);
}
