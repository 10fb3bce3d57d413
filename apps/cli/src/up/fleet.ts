import { join } from 'node:path';
import { type Config, childEnvironment, type RawEnv } from '@sluice/config';
import { findFreePort } from '@sluice/embedded';
import { type AppName, nodeArguments } from '../entries.ts';
import { localUrl } from '../local-url.ts';
import { memoryVariables } from '../memory-options.ts';
import type { ProcessPlan } from './supervised-process.ts';

export interface MemberPlan extends ProcessPlan {
  /** URL of `/readyz`. */
  url: string;
}

/**
 * Plans one API and `WORKERS` workers. Their settings differ from those of this process only in the
 * URLs, keys, and ports given here.
 */
export async function planFleet(
  config: Config,
  services: { databaseUrl: string; redisUrl: string; masterKeys: readonly string[] },
): Promise<MemberPlan[]> {
  const { host } = config.http;
  const port = config.http.port || (await findFreePort(host));
  const metricsPort = config.metricsPort || (await findFreePort(host));
  const workerPorts = await planWorkerPorts(config, [port, metricsPort]);
  const listening = [metricsPort, ...workerPorts].map((usedPort) => `127.0.0.1:${usedPort}`);
  const common: RawEnv = {
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    ENCRYPTION_KEY: services.masterKeys.join(','),
    SLUICE_HOME: config.home,
    PORT: String(port), // also for workers: URLs that they generate point to the API
    METRICS_PORT: String(metricsPort),
    SSRF_DENY: [...config.outgoing.ssrfDeny, ...listening].join(','),
  };
  const member = (app: AppName, name: string, variables: RawEnv, healthPort: number): MemberPlan => ({
    name,
    args: nodeArguments(app),
    env: childEnvironment({ ...memoryVariables(), ...common, ...variables }),
    logFile: join(config.home, 'logs', `${name.replace(' ', '-')}.log`),
    url: localUrl(host, healthPort),
  });
  const members = [member('api', 'api', {}, port)];
  for (const [index, workerPort] of workerPorts.entries())
    members.push(member('worker', `worker ${index + 1}`, { WORKER_PORT: String(workerPort) }, workerPort));
  return members;
}

/** The first worker gets `WORKER_PORT`, the others the next ports. 0 stands for any free port. */
async function planWorkerPorts({ http, worker }: Config, usedPorts: readonly number[]): Promise<number[]> {
  const ports: number[] = [];
  for (let next = worker.healthPort; ports.length < worker.count; next += 1) {
    if (worker.healthPort === 0) ports.push(await findFreePort(http.host));
    else if (!usedPorts.includes(next)) ports.push(next);
  }
  return ports;
}
